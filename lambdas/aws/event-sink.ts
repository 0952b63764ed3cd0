import type { LoggedEvent } from '../domain/ports/logged-event.ts';

/**
 * Writes an event as a line of the function's own log. A subscription sends it to the worker `collect-events`. The call
 * does not wait, and the line is kept even if the function is frozen after its answer.
 */
export const sendEvent = (event: LoggedEvent): void => {
  process.stdout.write(`${JSON.stringify({ event })}\n`);
};
