import type { Queue } from '../ports.ts';
import { needed } from './needed.ts';
import { sqsQueue } from './sqs/sqs-queue.ts';

export const queue: Queue = sqsQueue(needed('QUEUE_URL_PREFIX'));
