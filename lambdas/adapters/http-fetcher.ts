import { isUtf8 } from 'node:buffer';
import { Agent, type Dispatcher, errors } from 'undici';
import { allowedHosts } from '../core/web/allowed-hosts.ts';
import { ACCEPTED_CODINGS, unpack } from './content-coding.ts';
import { FetchFault, faultOf } from './fetch-fault.ts';
import { guardedConnector } from './guarded-connector.ts';
import type { FetchRequest, FetchResult, PageFetcher } from './ports.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** Short, for servers drop idle connections without a word. */
const KEEP_ALIVE_MS = 4_000;
const HEADER_VALUE = /^[\x20-\x7e]+$/;

type HttpFetcherOptions = {
  readonly userAgent: string;
  /** `host` or `host:port` that may be fetched though its address is private. */
  readonly allowHosts: readonly string[];
  readonly connectionsPerHost: number;
};

/**
 * Fetches over HTTP/1.1 with undici; connections are kept per origin, further requests wait for one within their own deadline.
 * The body of an answer other than 2xx is empty if it cannot be had: its status is the answer.
 */
export function httpFetcher(options: HttpFetcherOptions): PageFetcher {
  const agent = new Agent({
    connect: guardedConnector(allowedHosts(options.allowHosts), CONNECT_TIMEOUT_MS),
    connections: options.connectionsPerHost,
    allowH2: false, // one connection would carry a hundred requests at once
    headersTimeout: 0, // the deadline of the request counts
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  });
  return {
    fetch: async (request) => {
      const deadline = startDeadline(request);
      try {
        return await exchange(agent, request, options.userAgent, deadline.signal);
      } catch (error) {
        const { reason, message } = faultOf(error);
        return { kind: 'failure', reason, detail: message };
      } finally {
        deadline.stop();
      }
    },
    close: () => agent.destroy(),
  };
}

async function exchange(
  agent: Agent,
  request: FetchRequest,
  userAgent: string,
  signal: AbortSignal,
): Promise<FetchResult> {
  const url = URL.parse(request.url);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new FetchFault('connection', 'not an http or https URL');
  signal.throwIfAborted();
  const answer = await send(agent, {
    origin: url.origin,
    path: pathOf(url),
    method: 'GET',
    headers: requestHeaders(request, userAgent),
    signal,
  });
  const headers = plainHeaders(answer.headers);
  const body = await readBody(answer, headers, request).catch((error: unknown) => {
    const isNeeded = answer.statusCode >= 200 && answer.statusCode < 300;
    if (isNeeded || faultOf(error).reason === 'aborted') throw error;
    return new Uint8Array();
  });
  return { kind: 'response', status: answer.statusCode, headers, body };
}

/** Path and query as sent: `search` does not know "/?" from "/". */
function pathOf(url: URL): string {
  const [href = ''] = url.href.split('#', 1);
  return href.slice(href.indexOf('/', url.protocol.length + 2));
}

/** Asks again, once, when a connection that had served before was closed just as this request went out. */
async function send(agent: Agent, options: Dispatcher.RequestOptions & { readonly signal: AbortSignal }) {
  const interrupted = rejection(options.signal);
  const ask = () => Promise.race([agent.request(options), interrupted]);
  return ask().catch((error: unknown) => {
    if (!isStaleConnection(error)) throw error;
    return ask();
  });
}

/** A request in undici's queue does not heed its signal, so the wait for an answer is raced against this. */
function rejection(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  promise.catch(() => undefined);
  return promise;
}

function isStaleConnection(error: unknown): boolean {
  return error instanceof errors.SocketError && (error.socket?.bytesRead ?? 0) > 0;
}

function startDeadline({ timeoutMs, signal }: FetchRequest): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const expire = () => controller.abort(new FetchFault('timeout', `no whole answer within ${timeoutMs} ms`));
  const cancel = () => controller.abort(new FetchFault('aborted', 'the caller has cancelled'));
  const timer = setTimeout(expire, timeoutMs);
  signal?.addEventListener('abort', cancel, { once: true });
  if (signal?.aborted) cancel();
  return {
    signal: controller.signal,
    stop: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    },
  };
}

function requestHeaders(request: FetchRequest, userAgent: string): Record<string, string> {
  const headers: Record<string, string> = {
    'user-agent': userAgent,
    accept: request.accept ?? '*/*',
    'accept-encoding': request.cut ? 'identity' : ACCEPTED_CODINGS, // a packed body cannot be cut
  };
  // A validator came from a server: what no header may hold is not sent back.
  const { etag = '', lastModified = '' } = request;
  if (HEADER_VALUE.test(etag)) headers['if-none-match'] = etag;
  if (HEADER_VALUE.test(lastModified)) headers['if-modified-since'] = lastModified;
  return headers;
}

/** Repeated headers are joined; values are UTF-8 where they can be, as in the Location headers of many servers. */
function plainHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value = '']) => {
    const bytes = Buffer.from(Array.isArray(value) ? value.join(', ') : value, 'latin1');
    return [name, bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')] as const;
  });
  return Object.fromEntries(entries);
}

async function readBody(
  { body: parts }: Dispatcher.ResponseData,
  headers: Readonly<Record<string, string>>,
  { maxBytes, cut = false }: FetchRequest,
): Promise<Uint8Array> {
  const coding = headers['content-encoding'];
  const mayCut = cut && coding === undefined;
  const declared = Number(headers['content-length'] ?? 0);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of parts) {
    length += chunk.length;
    chunks.push(chunk);
    // Leaving the loop destroys the body, and with it the connection.
    if (mayCut && length >= maxBytes) break;
    if (!mayCut && Math.max(length, declared) > maxBytes)
      throw new FetchFault('too_large', `more than ${maxBytes} bytes`);
  }
  const body = Buffer.concat(chunks);
  return mayCut ? body.subarray(0, maxBytes) : unpack(body, coding, maxBytes);
}
