import type { ApiEvent, ApiResponse } from '../../lambdas/runtime/api-event.ts';

type Handler = (event: ApiEvent, context: never) => Promise<ApiResponse>;

const handlers = new Map<string, Promise<Handler>>();

/** The handler of an endpoint. It is loaded on its first request, as in Lambda. */
export function handlerOf(name: string): Promise<Handler> {
  const loaded =
    handlers.get(name) ?? import(`../../lambdas/api/${name}.ts`).then((module: { handler: Handler }) => module.handler);
  handlers.set(name, loaded);
  return loaded;
}

export const CONTEXT = { getRemainingTimeInMillis: () => 29_000 } as never;
