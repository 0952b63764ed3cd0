import { workerData } from 'node:worker_threads';
import { attachEngine } from '../../lambdas/adapters/local/engine.ts';
import { answerRequests } from '../../lambdas/adapters/worker-thread.ts';
import { CONTEXT, handlerOf } from './endpoint-handler.ts';
import type { IngestCall } from './ingest-worker.ts';

attachEngine(workerData);
answerRequests(async ({ name, event }: IngestCall) => (await handlerOf(name))(event, CONTEXT));
