import { parentPort, workerData } from 'node:worker_threads';
import { attachEngine } from '../../lambdas/adapters/local/engine.ts';
import type { ApiEvent, ApiResponse } from '../../lambdas/runtime/api-event.ts';
import { CONTEXT, handlerOf } from './endpoint-handler.ts';

type Call = { readonly call: number; readonly name: string; readonly event: ApiEvent };

attachEngine(workerData.engine);

async function answer({ call, name, event }: Call): Promise<void> {
  const handler = await handlerOf(name);
  const response: ApiResponse = await handler(event, CONTEXT);
  parentPort?.postMessage({ call, response });
}

parentPort?.on('message', (call: Call) => void answer(call));
