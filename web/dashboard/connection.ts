import { createValue } from './value.ts';

export type ConnectionState =
  | { readonly is: 'good' }
  | { readonly is: 'lost' }
  /** The service refuses calls until this time, in milliseconds since 1970. */
  | { readonly is: 'limited'; readonly until: number };

const GOOD: ConnectionState = { is: 'good' };
const DEFAULT_WAIT_SECONDS = 10;
const RELOAD_MS = 2000;

/** What the bar above a screen says. */
export const connection = createValue<ConnectionState>(GOOD);

/** `fetch` for the API: says whether the service answers, and sends nothing while it refuses calls. */
export async function watchedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  await limitEnd(init?.signal);
  try {
    const response = await fetch(input, init);
    if (response.status === 429 && isForKeys(input)) limitBy(response);
    else connection.set(GOOD);
    return response;
  } catch (error) {
    if (init?.signal?.aborted !== true) connection.set({ is: 'lost' });
    throw error;
  }
}

/** Loads a part of the dashboard. While the service does not answer, says so and tries again. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      const part = await load();
      if (connection.get().is === 'lost') connection.set(GOOD);
      return part;
    } catch (error) {
      // The service answers, so the part is gone: the dashboard was updated meanwhile, and has to be loaded again.
      if (await isReachable()) throw error;
      connection.set({ is: 'lost' });
      await new Promise((resolve) => setTimeout(resolve, RELOAD_MS));
    }
  }
}

const isReachable = (): Promise<boolean> =>
  fetch('/app/', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );

/** Searches have a limit of their own, which stops nothing else. */
const isForKeys = (input: RequestInfo | URL): boolean => new URL(String(input)).pathname.startsWith('/api/');

function limitBy({ headers }: Response): void {
  const given = Number(headers.get('Retry-After'));
  const waitMs = 1000 * (given > 0 ? given : DEFAULT_WAIT_SECONDS);
  const state: ConnectionState = { is: 'limited', until: Date.now() + waitMs };
  connection.set(state);
  setTimeout(() => connection.get() === state && connection.set(GOOD), waitMs);
}

async function limitEnd(signal: AbortSignal | null | undefined): Promise<void> {
  const state = connection.get();
  if (state.is !== 'limited') return;
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, state.until - Date.now())));
  signal?.throwIfAborted();
}
