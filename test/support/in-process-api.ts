import type { IncomingMessage } from 'node:http';
import { table } from '#adapters/table';
import { handler as fallback } from '../../lambdas/api/fallback.ts';
import { routesAt } from '../../lambdas/runtime/route-match.ts';
import { commands } from '../../local/admin/commands.ts';
import { gatewayEvent } from '../../local/server/gateway-event.ts';
import { prepareSearchIndex } from '../../local/server/search-index.ts';
import { CONTEXT, handlerOf } from '../../local/threads/endpoint-handler.ts';
import type { ApiRequest, ApiResult } from './api-client.ts';
import { openLocalStore } from './local-store.ts';
import { type Owner, TestApi } from './test-api.ts';

/** Event in, response out: calls the handlers of `lambdas/api` by the routes that the local server uses. */
export class InProcessApi extends TestApi {
  readonly ready: Owner;

  protected readonly stop: () => Promise<void>;

  private constructor(ready: Owner, stop: () => Promise<void>) {
    super();
    this.ready = ready;
    const { write } = process.stderr;
    this.log.addSecret(ready.apiKey);
    process.stderr.write = (text) => {
      this.log.write(String(text));
      return true;
    };
    this.stop = async () => {
      await stop();
      process.stderr.write = write;
    };
  }

  static async open({ workers }: { readonly workers: boolean }): Promise<InProcessApi> {
    const closeStore = await openLocalStore();
    await prepareSearchIndex();
    const stopWorkers = workers ? (await import('./in-process-workers.ts')).startWorkers() : undefined;
    const owner = await runCommand('organisation create', { name: 'Local', plan: 'enterprise' });
    return new InProcessApi(owner as Owner, async () => {
      await stopWorkers?.();
      await closeStore();
    });
  }

  protected readonly transport = answer;
  protected readonly admin = runCommand;
}

async function runCommand(name: string, options: Readonly<Record<string, string>>): Promise<object> {
  const command = commands[name];
  if (command === undefined) throw new Error(`npm run admin has no command ${name}`);
  return command(options, table);
}

async function answer({ method, path, headers, body = '', address = '192.0.2.1' }: ApiRequest): Promise<ApiResult> {
  const url = new URL(path, 'http://localhost');
  const match = routesAt(url.pathname).find(({ route }) => route.method.toUpperCase() === method);
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const request = {
    method,
    headers: Object.fromEntries(lowerCase),
    socket: { remoteAddress: address },
  } as IncomingMessage;
  const event = gatewayEvent(request, url, match?.params ?? {}, { body: Buffer.from(body), receivedAt: Date.now() });
  const handler = match ? await handlerOf(match.name) : fallback;
  const response = await handler(event, CONTEXT);
  let text = response.body;
  for await (const part of response.stream?.(new AbortController().signal) ?? []) text += part;
  return { status: response.statusCode, headers: new Headers(response.headers), text };
}
