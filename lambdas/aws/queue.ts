import type { Queue } from '../domain/ports/queue.ts';
import { requireEnv } from './require-env.ts';
import { sqsQueue } from './sqs/sqs-queue.ts';

export const queue: Queue = sqsQueue(requireEnv('QUEUE_URL_PREFIX'));
