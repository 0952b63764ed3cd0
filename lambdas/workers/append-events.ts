import { eventLog } from '#adapters/event-log';
import { queues } from '../messages.ts';
import { worker } from '../runtime/worker.ts';

export const handler = worker(queues.telemetry, ({ events }) => eventLog.append(events));
