import { parentPort, workerData } from 'node:worker_threads';
import { isDamaged } from './check-file.ts';

parentPort?.postMessage(isDamaged(workerData));
