import { workerData } from 'node:worker_threads';
import { answerRequests } from '../../lambdas/connectors/worker-thread.ts';
import { CONTEXT, handlerOf } from '../server/endpoint-handler.ts';
import type { IngestCall } from './ingest-worker.ts';
import { attachStore } from './open-store.ts';

attachStore(workerData);
answerRequests(async ({ name, event }: IngestCall) => (await handlerOf(name))(event, CONTEXT));
