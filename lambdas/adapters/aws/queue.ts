import type { Queue } from '../../core/ports/queue.ts';
import { needed } from './require-env.ts';
import { sqsQueue } from './sqs/sqs-queue.ts';

export const queue: Queue = sqsQueue(needed('QUEUE_URL_PREFIX'));
