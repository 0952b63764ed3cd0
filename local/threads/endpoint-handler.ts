import type { ApiEvent, ApiResponse } from '../../lambdas/runtime/api-event.ts';

type Handler = (event: ApiEvent, context: never) => Promise<ApiResponse>;

const handlers = new Map<string, Promise<Handler>>();

/**
 * Returns the handler of an endpoint. It is loaded on its first request, as in Lambda. A failed load is tried again.
 */
export function handlerOf(name: string): Promise<Handler> {
  const loaded = handlers.get(name) ?? load(name);
  handlers.set(name, loaded);
  return loaded;
}

async function load(name: string): Promise<Handler> {
  try {
    return ((await import(`../../lambdas/api/${name}.ts`)) as { readonly handler: Handler }).handler;
  } catch (error) {
    handlers.delete(name);
    throw error;
  }
}

export const CONTEXT = { getRemainingTimeInMillis: () => 29_000 } as never;
