import { EventEmitter } from 'node:events';
import { AwsSigv4Signer } from '@opensearch-project/opensearch/aws-v3';
import connectionModule from '@opensearch-project/opensearch/lib/Connection.js';
import { ConnectionPool } from '@opensearch-project/opensearch/lib/pool/index.js';
import serializerModule from '@opensearch-project/opensearch/lib/Serializer.js';
import transportModule from '@opensearch-project/opensearch/lib/Transport.js';
import { UnavailableError } from '../../../core/errors.ts';
import { cut } from '../../../core/language/folding.ts';

// CommonJS modules that are a class, which their types call a default export.
const Connection = connectionModule as unknown as typeof connectionModule.default;
const Serializer = serializerModule as unknown as typeof serializerModule.default;
const Transport = transportModule as unknown as typeof transportModule.default;

export type EngineRequest = {
  readonly method: 'HEAD' | 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** A string is sent as newline-delimited JSON. */
  readonly body?: object | string;
  /** Instead of the engine's own. */
  readonly limitMs?: number;
};

export type Engine = {
  /**
   * What the engine answers; to HEAD, whether there is such a thing. Throws `UnavailableError` within the time limit when it is not
   * reached, cannot take the request now or answers no JSON, and an `Error` for a request that it can never take.
   */
  send(request: EngineRequest): Promise<unknown>;
  readonly limitMs: number;
  close(): void;
};

/** A search asks more than once, and an embedder before: all of it has 5 s. */
const LIMIT_MS = 3500;
/** A connection that the other side closed while nothing was sent is only noticed by the next request. */
const RETRIES = 1;
const LONGEST_MESSAGE = 300;
/** Refusals that tell something about the request. All others are the engine's state, a missing index too. */
const OWN_FAULTS = [400, 405, 406, 413];

type Options = { readonly limitMs?: number };

/** An OpenSearch at a URL. Requests to a domain of AWS are signed by the credentials of the process, which the signer loads when it needs them. */
export function openSearch(url: string, { limitMs = LIMIT_MS }: Options = {}): Engine {
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
        throw described(error);
      } finally {
        limit.clear();
      }
    },
    close: () => void pool.empty(),
  };
}

/** The engine for as long as one request may take: all that is sent to it has the same end. */
export function withinOneLimit(engine: Engine): Engine {
  const end = performance.now() + engine.limitMs;
  return { ...engine, send: (request) => engine.send({ ...request, limitMs: Math.max(1, end - performance.now()) }) };
}

/** The parts of the package's `Client` without its 300 methods, which take longer to load than all else. */
function connect(url: string, limitMs: number) {
  const emitter = new EventEmitter();
  const emit = emitter.emit.bind(emitter);
  const region = awsRegion(url);
  const own = { Connection, Transport };
  const classes = region === undefined ? own : AwsSigv4Signer({ region });
  const pool = new ConnectionPool({ emit, Connection: classes.Connection, resurrectStrategy: 'none' });
  pool.addConnection(url);
  const transport = new classes.Transport({
    ...{ emit, connectionPool: pool, serializer: new Serializer() },
    ...{ maxRetries: RETRIES, requestTimeout: limitMs, sniffEndpoint: '' },
  });
  return { pool, transport };
}

/** The region of a managed domain, by its host: `….eu-west-1.es.amazonaws.com` or `….aos.eu-west-1.on.aws`. */
export function awsRegion(url: string): string | undefined {
  const host = new URL(url).hostname;
  return /\.([a-z0-9-]+)\.es\.amazonaws\.com$/.exec(host)?.[1] ?? /\.aos\.([a-z0-9-]+)\.on\.aws$/.exec(host)?.[1];
}

function timeLimit(ms: number, onReached: () => void) {
  const { promise: reached, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new UnavailableError(`The search engine did not answer within ${Math.round(ms)} ms`));
    onReached();
  }, ms);
  return { reached, clear: () => clearTimeout(timer) };
}

function described(error: unknown): Error {
  if (error instanceof UnavailableError) return error;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : undefined;
  const message = cut(error instanceof Error ? error.message : String(error), LONGEST_MESSAGE);
  if (status !== undefined && OWN_FAULTS.includes(status)) {
    return new Error(`The search engine refused a request with ${status}: ${message}`);
  }
  return new UnavailableError(`The search engine cannot be used: ${status ?? ''} ${message}`);
}
