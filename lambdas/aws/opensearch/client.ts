import { EventEmitter } from 'node:events';
// Subpaths, because the package's main entry brings 300 API methods: 299 kB minified instead of 81.
import { AwsSigv4Signer } from '@opensearch-project/opensearch/aws-v3';
import connectionModule from '@opensearch-project/opensearch/lib/Connection.js';
import { ConnectionPool } from '@opensearch-project/opensearch/lib/pool/index.js';
import serializerModule from '@opensearch-project/opensearch/lib/Serializer.js';
import transportModule from '@opensearch-project/opensearch/lib/Transport.js';
import { TooLargeError, UnavailableError } from '../../domain/errors.ts';
import { cut } from '../../text/words/folding.ts';

// CommonJS modules whose export is the class itself, although their types declare a default export.
const Connection = connectionModule as unknown as typeof connectionModule.default;
const Serializer = serializerModule as unknown as typeof serializerModule.default;
const Transport = transportModule as unknown as typeof transportModule.default;

export type OpenSearchRequest = {
  readonly method: 'HEAD' | 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** A string must be newline-delimited JSON. */
  readonly body?: object | string;
  /** @default the client's own limit */
  readonly limitMs?: number;
};

export type OpenSearchClient = {
  /**
   * Returns the parsed answer; for HEAD, whether the resource exists. Throws `UnavailableError` in time if OpenSearch
   * is not reached, cannot take the request now or answers no JSON, `TooLargeError` if it takes no request of this
   * size, and `Error` if it rejects the request as invalid.
   */
  send(request: OpenSearchRequest): Promise<unknown>;
  readonly limitMs: number;
  close(): void;
};

/** Below the 5 s that the port promises, because a search may also wait for its query vector. */
const LIMIT_MS = 3500;
/** Covers connections that the server closed while they were idle, which only the next request notices. */
const RETRIES = 1;
const MAX_MESSAGE_LENGTH = 300;
/** Statuses that blame the request. All others are states of OpenSearch, even 404: the index may still be created. */
const INVALID_REQUEST = [400, 405, 406];
const TOO_LARGE = 413;
const DENIED = 403;

type Options = { readonly limitMs?: number };

/**
 * Returns a client. It signs requests to an AWS domain with the credentials of the process, loaded at the first
 * request.
 */
export function openSearchClient(url: string, { limitMs = LIMIT_MS }: Options = {}): OpenSearchClient {
  const { pool, transport } = connect(url, limitMs);
  return {
    limitMs,
    async send({ method, path, query, body, limitMs: ms = limitMs }) {
      const content = typeof body === 'string' ? { bulkBody: body } : body && { body };
      const request = { method, path, ...(query && { querystring: { ...query } }), ...content };
      const pending = transport.request(request, { requestTimeout: ms });
      const limit = timeLimit(ms, () => pending.abort());
      try {
        return (await Promise.race([pending, limit.reached])).body;
      } catch (error) {
        throw describeError(error, method);
      } finally {
        limit.clear();
      }
    },
    close: () => void pool.empty(),
  };
}

/** Returns a client whose requests share one time limit, which starts now. */
export function withSharedLimit(client: OpenSearchClient): OpenSearchClient {
  const end = performance.now() + client.limitMs;
  return { ...client, send: (request) => client.send({ ...request, limitMs: Math.max(1, end - performance.now()) }) };
}

function connect(url: string, limitMs: number) {
  const emitter = new EventEmitter();
  const emit = emitter.emit.bind(emitter);
  const region = awsRegion(url);
  const own = { Connection, Transport };
  const classes = region === undefined ? own : AwsSigv4Signer({ region });
  const pool = new ConnectionPool({ emit, Connection: classes.Connection, resurrectStrategy: 'none' });
  pool.addConnection(url);
  const transport = new classes.Transport({
    emit,
    connectionPool: pool,
    serializer: new Serializer(),
    maxRetries: RETRIES,
    requestTimeout: limitMs,
    sniffEndpoint: '',
  });
  return { pool, transport };
}

/** Returns the region in a managed domain's host: `….eu-west-1.es.amazonaws.com` or `….aos.eu-west-1.on.aws`. */
export function awsRegion(url: string): string | undefined {
  const host = new URL(url).hostname;
  return /\.([a-z0-9-]+)\.es\.amazonaws\.com$/.exec(host)?.[1] ?? /\.aos\.([a-z0-9-]+)\.on\.aws$/.exec(host)?.[1];
}

function timeLimit(ms: number, onReached: () => void) {
  const { promise: reached, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new UnavailableError(`OpenSearch did not answer within ${Math.round(ms)} ms`));
    onReached();
  }, ms);
  return { reached, clear: () => clearTimeout(timer) };
}

/**
 * Returns the reason of an error. OpenSearch Service names a denied action in a format of its own, and sends no body to
 * HEAD.
 */
function reasonOf(error: unknown, status: number | undefined, method: OpenSearchRequest['method']): string {
  const body: unknown = error instanceof Error && 'body' in error ? error.body : undefined;
  const { Message, message = Message } = (typeof body === 'object' && body ? body : {}) as Record<string, unknown>;
  if (typeof message === 'string') return message;
  if (status === DENIED && !body)
    return `not authorized to perform: es:ESHttp${method.charAt(0)}${method.slice(1).toLowerCase()}`;
  return error instanceof Error ? error.message : String(error);
}

function describeError(error: unknown, method: OpenSearchRequest['method']): Error {
  if (error instanceof UnavailableError) return error;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : undefined;
  const message = cut(reasonOf(error, status, method), MAX_MESSAGE_LENGTH);
  if (status === TOO_LARGE) return new TooLargeError(`OpenSearch takes no request of this size: ${message}`);
  if (status !== undefined && INVALID_REQUEST.includes(status)) {
    return new Error(`OpenSearch rejected a request with status ${status}: ${message}`);
  }
  const described = status === undefined ? '' : ` with status ${status}`;
  return new UnavailableError(`OpenSearch is unavailable${described}: ${message}`);
}
