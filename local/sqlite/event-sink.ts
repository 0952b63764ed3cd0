import { eventLog } from '#adapters/event-log';
import type { LoggedEvent } from '../../lambdas/domain/ports/logged-event.ts';
import { eventBuffer } from './event-buffer.ts';

eventBuffer.open((events) => eventLog.append(events));

/** Queues an event for the log, within microseconds. */
export const sendEvent = (event: LoggedEvent): void => eventBuffer.add(event);
