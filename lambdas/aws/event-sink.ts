import type { LoggedEvent } from '../domain/ports/logged-event.ts';

/**
 * Takes an event on its way to the log: a line of the function's own log, from which a subscription sends it to the
 * worker `collect-events`. Nothing is waited for, and the line is kept though the function stops after its answer.
 */
export const sendEvent = (event: LoggedEvent): void => {
  process.stdout.write(`${JSON.stringify({ event })}\n`);
};
