import { errorOf, SearchError } from './search-error.ts';

export type Connection = {
  /** The address of the service: `https://search.example.com`, with or without `/v1` or `/api`. */
  readonly api: string;
  /** Never in a web page for visitors: it can read and change the site. */
  readonly key?: string;
  /**
   * Longest wait, in seconds, before a read that the service refuses for the moment is sent again; 0 for none. @default
   * 5
   */
  readonly longestWait?: number;
  /** Used in place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
};

export type Request = {
  readonly method: string;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
  /** The call changes nothing, so it may be sent twice. */
  readonly isRead?: boolean;
  /** The call outlives the web page. */
  readonly keepalive?: boolean;
};

/** A longer address may be refused by a server between the client and the service. */
const MAX_URL_LENGTH = 2000;

export const isTooLong = (url: string): boolean => url.length > MAX_URL_LENGTH;

/** Paths of visitors have another surface than those for callers with a key. */
export function urlOf({ api }: Connection, path: string, query: Request['query'] = {}): string {
  const root = api.replace(/\/+$/, '').replace(/\/(?:api|v1(?:\/public)?)$/, '');
  const surface = path.startsWith('/public/') ? '/v1' : '/api';
  const given = Object.entries(query).map(([name, value]): [string, string] => [name, parameter(value)]);
  const text = new URLSearchParams(given.filter(([, value]) => value !== '' && value !== '{}')).toString();
  return `${root}${surface}${path}${text && `?${text}`}`;
}

/** A list is joined by commas, an object is JSON. Empty ones are left out. */
const parameter = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? JSON.stringify(value) : String(value ?? '');

/** The successful answer. Throws a SearchError, or the reason of the signal. */
export async function send(connection: Connection, path: string, request: Request): Promise<Response> {
  const { signal } = request;
  const response = await sendOnce(connection, path, request);
  if (response.ok) return response;
  const error = errorOf(await response.json().catch(() => undefined), response.status, response.headers);
  signal?.throwIfAborted();
  if (!request.isRead || !isBrief(error, connection)) throw error;
  await pause(error.retryAfter ?? 0, signal);
  return send(connection, path, { ...request, isRead: false });
}

/** The body of a successful answer. */
export async function sendForJson<Body>(connection: Connection, path: string, request: Request): Promise<Body> {
  const response = await send(connection, path, request);
  if (response.status === 204) return undefined as Body;
  try {
    return (await response.json()) as Body;
  } catch (cause) {
    request.signal?.throwIfAborted();
    throw new SearchError('unexpected_answer', 'The answer is not JSON.', { status: response.status, cause });
  }
}

async function sendOnce(
  connection: Connection,
  path: string,
  { method, query, body, accept = 'application/json', signal, keepalive }: Request,
): Promise<Response> {
  const { key, fetch = globalThis.fetch } = connection;
  const headers = {
    Accept: accept,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
  };
  const options: RequestInit = { method, headers };
  if (body !== undefined) options.body = JSON.stringify(body);
  if (signal) options.signal = signal;
  if (keepalive) options.keepalive = true;
  try {
    return await fetch(urlOf(connection, path, query), options);
  } catch (cause) {
    signal?.throwIfAborted();
    throw new SearchError('unreachable', 'The search service does not answer.', { cause });
  }
}

const isBrief = ({ status, retryAfter }: SearchError, { longestWait = 5 }: Connection): boolean =>
  (status === 429 || status === 503) && retryAfter !== undefined && longestWait > 0 && retryAfter <= longestWait;

function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
