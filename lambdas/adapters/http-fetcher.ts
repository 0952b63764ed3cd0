import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { Agent, type Dispatcher, errors } from 'undici';
import type { FetchRequest, FetchResult, PageFetcher } from '../core/ports/page-fetcher.ts';
import { allowedHosts } from '../core/web/allowed-hosts.ts';
import { ACCEPTED_CODINGS, gunzipped, unpacked } from './content-coding.ts';
import { FetchFault, faultOf } from './fetch-fault.ts';
import { guardedConnector, type Resolve } from './guarded-connector.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** Short, for servers drop idle connections without a word. */
const KEEP_ALIVE_MS = 4_000;
/** Bytes of a body that is not needed. */
const SHORT_BODY = 100_000;
/** Of these the first counts, should they be repeated. */
const SINGLE_HEADERS = new Set(['content-type', 'location', 'etag', 'last-modified', 'retry-after']);
const HEADER_VALUE = /^[\x20-\x7e]+$/;

type HttpFetcherOptions = {
  readonly userAgent: string;
  /** `host` or `host:port` that may be fetched though its address is private. */
  readonly allowHosts: readonly string[];
  readonly connectionsPerHost: number;
  /** @default the resolver of this machine */
  readonly resolve?: Resolve;
};

/**
 * Fetches over HTTP/1.1 with undici; connections are kept per origin, further requests wait for one within their own deadline.
 * The body of an answer other than 2xx is passed over: its status is the answer.
 */
export function httpFetcher(options: HttpFetcherOptions): PageFetcher {
  const agent = new Agent({
    connect: guardedConnector(allowedHosts(options.allowHosts), CONNECT_TIMEOUT_MS, options.resolve),
    connections: options.connectionsPerHost,
    allowH2: false, // one connection would carry a hundred requests at once
    headersTimeout: 0, // the deadline of the request counts
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  });
  const exchange = (request: FetchRequest, read: ReadBody) => exchangeOn(agent, request, options.userAgent, read);
  return {
    fetch: (request) => exchange(request, wholeBody),
    stream: (request, take) =>
      exchange(request, async ({ body }, headers, { maxBytes }) => {
        const parts = gunzipped(unpacked(body, headers['content-encoding'], maxBytes), maxBytes);
        for await (const part of parts) if (!take(part)) break;
        return new Uint8Array();
      }),
    close: () => agent.destroy(),
  };
}

type Headers = Readonly<Record<string, string>>;
type ReadBody = (answer: Dispatcher.ResponseData, headers: Headers, request: FetchRequest) => Promise<Uint8Array>;

async function exchangeOn(
  agent: Agent,
  request: FetchRequest,
  userAgent: string,
  read: ReadBody,
): Promise<FetchResult> {
  const deadline = startDeadline(request);
  try {
    const answer = await ask(agent, request, userAgent, deadline.signal);
    return await resultOf(answer, request, read, deadline.signal);
  } catch (error) {
    const { reason, message } = faultOf(error);
    return { kind: 'failure', reason, detail: message };
  } finally {
    deadline.stop();
    await setImmediate(); // undici lends a connection again in the turn after its answer: a request before that would open another
  }
}

async function resultOf(
  answer: Dispatcher.ResponseData,
  request: FetchRequest,
  read: ReadBody,
  signal: AbortSignal,
): Promise<FetchResult> {
  const headers = plainHeaders(answer.headers);
  const status = answer.statusCode;
  const isNeeded = status >= 200 && status < 300;
  answer.body.on('error', () => undefined);
  try {
    const body = isNeeded ? await read(answer, headers, request) : await passOver(answer, signal);
    return { kind: 'response', status, headers, body };
  } finally {
    answer.body.destroy(); // and with it the connection, if there is more
  }
}

async function ask(
  agent: Agent,
  request: FetchRequest,
  userAgent: string,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const url = URL.parse(request.url);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new FetchFault('connection', 'not an http or https URL');
  signal.throwIfAborted();
  return send(agent, {
    origin: url.origin,
    path: pathOf(url),
    method: 'GET',
    headers: requestHeaders(request, userAgent),
    signal,
  });
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
    'accept-encoding': ACCEPTED_CODINGS,
  };
  // A validator came from a server: what no header may hold is not sent back.
  const { etag = '', lastModified = '' } = request;
  if (HEADER_VALUE.test(etag)) headers['if-none-match'] = etag;
  if (HEADER_VALUE.test(lastModified)) headers['if-modified-since'] = lastModified;
  return headers;
}

/** Values are UTF-8 where they can be, as in the Location headers of many servers. */
function plainHeaders(headers: Dispatcher.ResponseData['headers']): Headers {
  const entries = Object.entries(headers).map(([name, given = '']) => {
    const values = typeof given === 'string' ? [given] : given;
    const bytes = Buffer.from(SINGLE_HEADERS.has(name) ? (values[0] ?? '') : values.join(', '), 'latin1');
    return [name, bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')] as const;
  });
  return Object.fromEntries(entries);
}

async function wholeBody(
  { body }: Dispatcher.ResponseData,
  headers: Headers,
  { maxBytes, truncate = false }: FetchRequest,
): Promise<Uint8Array> {
  if (!truncate && Number(headers['content-length']) > maxBytes)
    throw new FetchFault('too_large', `announces more than ${maxBytes} bytes`);
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of unpacked(body, headers['content-encoding'], maxBytes)) {
    parts.push(part);
    length += part.length;
    if (truncate && length >= maxBytes) break;
  }
  return Buffer.concat(parts);
}

/** A short body is read, so that its connection can serve on. */
async function passOver({ body }: Dispatcher.ResponseData, signal: AbortSignal): Promise<Uint8Array> {
  await body.dump({ limit: SHORT_BODY, signal }).catch((error: unknown) => {
    if (faultOf(error).reason === 'aborted') throw error;
  });
  return new Uint8Array();
}
