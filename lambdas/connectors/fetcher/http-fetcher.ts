import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { type buildConnector, type Dispatcher, errors } from 'undici';
import type { FetchRequest, FetchResult, PageFetcher } from '../../domain/ports/page-fetcher.ts';
import { allowedHosts } from '../../text/web/allowed-hosts.ts';
import { pathOf } from '../../text/web/url.ts';
import { ACCEPTED_CODINGS, gunzipped, unpacked } from './content-coding.ts';
import { FetchError, toFetchError } from './fetch-error.ts';
import { guardedConnector, type Resolve } from './guarded-connector.ts';
import { diedWhileKept, KeptConnections } from './kept-connections.ts';
import { lenientRequest } from './lenient-request.ts';
import { type Deadline, rejection, startDeadline } from './request-deadline.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** The lifetime of an idle connection. It is short, because servers close idle connections without notice. */
const KEEP_ALIVE_MS = 4_000;
/** The most bytes that are read of an unwanted body, so that its connection can be used again. */
const MAX_SKIPPED_BYTES = 100_000;
/** Headers that are not lists. If repeated, the first one counts. */
const SINGLE_HEADERS = new Set(['content-type', 'location', 'etag', 'last-modified', 'retry-after']);
const HEADER_VALUE = /^[\x20-\x7e]+$/;

type HttpFetcherOptions = {
  readonly userAgent: string;
  /** Each `host` or `host:port` may be fetched although its address is private. */
  readonly allowHosts: readonly string[];
  readonly connectionsPerHost: number;
  /** @default the resolver of this machine */
  readonly resolve?: Resolve;
};

/** Fetches pages by undici with HTTP/1.1. A request beyond `connectionsPerHost` waits within its own deadline. */
export function httpFetcher(options: HttpFetcherOptions): PageFetcher {
  const connect = guardedConnector(allowedHosts(options.allowHosts), CONNECT_TIMEOUT_MS, options.resolve);
  const agents = new KeptConnections({
    connect,
    connections: options.connectionsPerHost,
    allowH2: false, // HTTP/2 would send many requests at once over one connection
    headersTimeout: 0, // each request has its own deadline
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  });
  const lenient = new Set<string>();
  const connections = { agents, connect, perHost: options.connectionsPerHost, lenient };
  const exchange = (request: FetchRequest, read: ReadBody) => exchangeOn(connections, request, options.userAgent, read);
  return {
    fetch: (request) => exchange(request, wholeBody),
    stream: (request, take) =>
      exchange(request, async ({ body }, headers, { maxBytes }) => {
        const parts = gunzipped(unpacked(body, headers['content-encoding'], maxBytes), maxBytes);
        for await (const part of parts) if (!take(part)) break;
        return new Uint8Array();
      }),
    close: () => agents.destroy(),
  };
}

type Connections = {
  readonly agents: KeptConnections;
  readonly connect: buildConnector.connector;
  readonly perHost: number;
  /** Origins whose answers undici does not understand. They are fetched by node:http. */
  readonly lenient: Set<string>;
};
type Answer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> & { readonly body: Readable };
type Headers = Readonly<Record<string, string>>;
type ReadBody = (answer: Answer, headers: Headers, request: FetchRequest) => Promise<Uint8Array>;

async function exchangeOn(
  connections: Connections,
  request: FetchRequest,
  userAgent: string,
  read: ReadBody,
): Promise<FetchResult> {
  const deadline = startDeadline(request);
  try {
    const answer = await requestAnswer(connections, request, userAgent, deadline.signal);
    return await resultOf(answer, limited(request, answer, deadline), read, deadline.signal);
  } catch (error) {
    const { reason, message } = toFetchError(error);
    return { kind: 'failure', reason, detail: message };
  } finally {
    deadline.stop();
    await setImmediate(); // undici frees the connection one turn later; an earlier request would open another one
  }
}

/** Returns the request with the limits for the media type of the answer. */
function limited(request: FetchRequest, { headers }: Answer, deadline: Deadline): FetchRequest {
  const mediaType = plainHeaders(headers)['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const limits = Object.hasOwn(request.limitsOfTypes ?? {}, mediaType) ? request.limitsOfTypes?.[mediaType] : undefined;
  if (!limits) return request;
  deadline.moveTo(limits.timeoutMs);
  return { ...request, ...limits };
}

async function resultOf(
  answer: Answer,
  request: FetchRequest,
  read: ReadBody,
  signal: AbortSignal,
): Promise<FetchResult> {
  const headers = plainHeaders(answer.headers);
  const status = answer.statusCode;
  const isSuccess = status >= 200 && status < 300;
  answer.body.on('error', () => undefined);
  try {
    const body = isSuccess ? await read(answer, headers, request) : await skipBody(answer, signal);
    return { kind: 'response', status, headers, body };
  } finally {
    answer.body.destroy(); // also closes the connection if the body has not ended
  }
}

async function requestAnswer(
  connections: Connections,
  request: FetchRequest,
  userAgent: string,
  signal: AbortSignal,
): Promise<Answer> {
  const url = URL.parse(request.url);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new FetchError('connection', 'not an http or https URL');
  signal.throwIfAborted();
  return send(connections, {
    origin: url.origin,
    path: pathWithoutFragment(url),
    method: 'GET',
    headers: requestHeaders(request, userAgent),
    signal,
  });
}

/** Returns path and query. Unlike `pathname + search`, it keeps the question mark of an empty query. */
function pathWithoutFragment({ href }: URL): string {
  const [withoutFragment = ''] = href.split('#', 1);
  return pathOf(withoutFragment);
}

type SentRequest = Parameters<typeof lenientRequest>[1] & { readonly method: 'GET' };

/** Sends a request. If a kept connection did not answer it, sends it again on a new one (RFC 9112, 9.3.1). */
async function send({ agents, connect, perHost, lenient }: Connections, request: SentRequest): Promise<Answer> {
  const aborted = rejection(request.signal);
  for (let repeats = 0; !lenient.has(request.origin); repeats++) {
    const { agent } = agents;
    try {
      return await Promise.race([agent.request(request), aborted]);
    } catch (error) {
      if (isUnasked(error)) lenient.add(request.origin);
      else if (!diedWhileKept(error) || repeats === perHost) throw error;
      else agents.retire(agent);
    }
  }
  return Promise.race([lenientRequest(connect, request), aborted]);
}

/** Recognises undici's refusal of a status 100 that nobody asked for. */
const isUnasked = (error: unknown): boolean => error instanceof errors.SocketError && error.message === 'bad response';

function requestHeaders(request: FetchRequest, userAgent: string): Record<string, string> {
  const headers: Record<string, string> = {
    'user-agent': userAgent,
    accept: request.accept ?? '*/*',
    'accept-encoding': ACCEPTED_CODINGS,
  };
  // Servers choose the validators. Those with characters that no header may hold are not sent back.
  const { etag = '', lastModified = '' } = request;
  if (HEADER_VALUE.test(etag)) headers['if-none-match'] = etag;
  if (HEADER_VALUE.test(lastModified)) headers['if-modified-since'] = lastModified;
  return headers;
}

/** Decodes header values as UTF-8, which many servers send in Location, and otherwise as Latin-1. */
function plainHeaders(headers: Dispatcher.ResponseData['headers']): Headers {
  const entries = Object.entries(headers).map(([name, given = '']) => {
    const values = typeof given === 'string' ? [given] : given;
    const bytes = Buffer.from(SINGLE_HEADERS.has(name) ? (values[0] ?? '') : values.join(', '), 'latin1');
    return [name, bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')] as const;
  });
  return Object.fromEntries(entries);
}

async function wholeBody(
  { body }: Answer,
  headers: Headers,
  { maxBytes, truncate = false }: FetchRequest,
): Promise<Uint8Array> {
  if (!truncate && Number(headers['content-length']) > maxBytes)
    throw new FetchError('too_large', `announces more than ${maxBytes} bytes`);
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of unpacked(body, headers['content-encoding'], maxBytes)) {
    parts.push(part);
    length += part.length;
    if (truncate && length >= maxBytes) break;
  }
  return Buffer.concat(parts);
}

async function skipBody({ body }: Answer, signal: AbortSignal): Promise<Uint8Array> {
  if (!isDumpable(body)) return new Uint8Array();
  await body.dump({ limit: MAX_SKIPPED_BYTES, signal }).catch((error: unknown) => {
    if (toFetchError(error).reason === 'aborted') throw error;
  });
  return new Uint8Array();
}

/** Tells whether a body is undici's. Only such a body can be read to its end so that its connection is used again. */
const isDumpable = (body: Readable): body is Dispatcher.ResponseData['body'] => 'dump' in body;
