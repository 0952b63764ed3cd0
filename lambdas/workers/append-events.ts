import { eventLog } from '#adapters/event-log';
import { queues } from '../messages.ts';
import { batchWorker } from '../runtime/worker.ts';

export const handler = batchWorker(queues.telemetry, (messages) =>
  eventLog.append(messages.flatMap(({ events }) => events)),
);
