import { createValue } from './value.ts';

export type ConnectionState =
  | { readonly is: 'good' }
  | { readonly is: 'lost' }
  /** The service refuses calls until this time, in milliseconds since 1970. */
  | { readonly is: 'limited'; readonly until: number };

const GOOD: ConnectionState = { is: 'good' };
const DEFAULT_WAIT_SECONDS = 10;

/** What the bar above a screen says. */
export const connection = createValue<ConnectionState>(GOOD);

/** `fetch` for the API: says whether the service answers, and sends nothing while it refuses calls. */
export async function watchedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  await limitEnd(init?.signal);
  try {
    const response = await fetch(input, init);
    connection.set(response.status === 429 && isForKeys(input) ? limitOf(response) : GOOD);
    return response;
  } catch (error) {
    if (init?.signal?.aborted !== true) connection.set({ is: 'lost' });
    throw error;
  }
}

/** Searches have a limit of their own, which stops nothing else. */
const isForKeys = (input: RequestInfo | URL): boolean => new URL(String(input)).pathname.startsWith('/api/');

function limitOf({ headers }: Response): ConnectionState {
  const seconds = Number(headers.get('Retry-After') ?? DEFAULT_WAIT_SECONDS);
  return { is: 'limited', until: Date.now() + 1000 * (seconds > 0 ? seconds : DEFAULT_WAIT_SECONDS) };
}

async function limitEnd(signal: AbortSignal | null | undefined): Promise<void> {
  const state = connection.get();
  if (state.is !== 'limited') return;
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, state.until - Date.now())));
  signal?.throwIfAborted();
  if (connection.get() === state) connection.set(GOOD);
}
