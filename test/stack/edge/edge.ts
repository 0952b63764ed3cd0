import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { matchesWildcard } from '../iam/wildcard.ts';
import { acceptedEncoding, cacheKey, type EdgeAnswer, EdgeCache, secondsToKeep } from './cache.ts';
import type { Behavior, Distribution, GatewaySettings } from './distribution.ts';
import { type AddedHeader, withHeaders } from './response-headers.ts';
import { type LoggedRequest, standardLog } from './standard-log.ts';
import { type ViewerRequest, viewerRequest } from './viewer-request.ts';

/** Headers of one connection, and those that the edge sets itself. */
const NOT_FORWARDED = ['connection', 'keep-alive', 'transfer-encoding', 'host', 'expect'];

/** The code of a behavior without a function. */
const UNCHANGED = 'const handler = (event) => event.request;';

type Asks = {
  readonly method: string;
  readonly edited: ViewerRequest;
  readonly query: string;
  readonly body: Buffer;
  readonly behavior: Behavior;
  readonly added: readonly AddedHeader[];
};
type ReadBucket = (asked: { host: string; method: string; path: string }) => Promise<EdgeAnswer>;

/** CloudFront: one edge location of the distribution, in front of the gateway and the bucket of files. */
export class Edge {
  readonly cache = new EdgeCache();
  #distribution: Distribution;
  readonly #gatewayUrl: string;
  readonly #bucket: ReadBucket;
  readonly #server: Server;
  readonly #requests: LoggedRequest[] = [];

  constructor(distribution: Distribution, gatewayUrl: string, bucket: ReadBucket) {
    this.#distribution = distribution;
    this.#gatewayUrl = gatewayUrl;
    this.#bucket = bucket;
    this.#server = createServer((viewer, response) => {
      this.#answer(viewer, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else response.writeHead(502).end(String(error));
      });
    });
  }

  deploy(distribution: Distribution): void {
    this.#distribution = distribution;
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The text of a log file with the requests since the last one. */
  takeLog(): string {
    return standardLog(this.#requests.splice(0));
  }

  async #answer(viewer: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET' } = viewer;
    const [uri = '/', asked = ''] = (viewer.url ?? '/').split(/\?(.*)/s);
    const behavior = this.#distribution.behaviors.find(({ pattern }) => matchesWildcard(pattern, uri));
    const body = await buffer(viewer);
    const ip = viewer.socket.remoteAddress ?? '';
    const log = (status: number, result: LoggedRequest['result']) =>
      this.#requests.push({ ip, method, uri, query: asked, status, result });
    const reads = method === 'GET' || method === 'HEAD';
    if (!behavior?.allowedMethods.includes(method) || (reads && body.length > 0)) {
      log(403, 'Error');
      return void response.writeHead(403).end();
    }
    const query = forwardedQuery(asked, behavior);
    const edited = viewerRequest(behavior.functionCode ?? UNCHANGED, { ip, method, uri, headers: viewer.headers });
    const added = behavior.addedHeaders.filter(({ isCors }) => !isCors || edited.headers.origin !== undefined);
    const key = behavior.cache && reads ? cacheKey(edited, new URLSearchParams(query), behavior.cache) : undefined;
    const cached = key === undefined ? undefined : this.cache.get(key);
    if (cached) {
      log(cached.status, 'Hit');
      response.writeHead(cached.status, {
        ...withHeaders(cached.headers, added),
        'x-cache': 'Hit from cloudfront',
      });
      return void response.end(cached.body);
    }
    const asks = { method, edited, query, body, behavior, added };
    const { origin } = behavior;
    const answer = await (origin.kind === 'bucket'
      ? this.#readBucket(asks, origin.host, response)
      : this.#pass(asks, origin.settings, key !== undefined, response));
    log(answer.status, 'Miss');
    const { uncachedErrors } = this.#distribution;
    if (method === 'GET' && key !== undefined && behavior.cache && !uncachedErrors.has(answer.status))
      this.cache.put(key, answer, secondsToKeep(answer, behavior.cache));
  }

  async #readBucket({ method, edited, added }: Asks, host: string, response: ServerResponse): Promise<EdgeAnswer> {
    const answer = await this.#bucket({ host, method, path: edited.uri });
    response.writeHead(answer.status, { ...withHeaders(answer.headers, added), 'x-cache': 'Miss from cloudfront' });
    response.end(answer.body);
    return answer;
  }

  /** Passes a request on to the gateway, and streams its answer back. */
  async #pass(
    { method, edited, query, body, behavior, added }: Asks,
    origin: GatewaySettings,
    isKept: boolean,
    response: ServerResponse,
  ): Promise<EdgeAnswer> {
    const { hostname, port } = new URL(this.#gatewayUrl);
    const custom = origin.OriginCustomHeaders.map(({ HeaderName, HeaderValue }) => [HeaderName, HeaderValue] as const);
    const forwarded = Object.entries(edited.headers).filter(([name]) => !NOT_FORWARDED.includes(name));
    const headers = {
      ...Object.fromEntries(forwarded),
      ...(behavior.cache && { 'accept-encoding': acceptedEncoding(edited.headers, behavior.cache) }),
      ...Object.fromEntries(custom),
      host: origin.DomainName,
    };
    const path = `${origin.OriginPath}${edited.uri}${query === '' ? '' : `?${query}`}`;
    const asked = request({ hostname, port, method, path, headers });
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    asked.on('response', resolve).on('error', reject).end(body);
    response.on('close', () => asked.destroy());
    const answer = await promise;
    const status = answer.statusCode ?? 502;
    const answered = Object.entries(answer.headers).filter(([name]) => !NOT_FORWARDED.includes(name));
    const plain = Object.fromEntries(answered.map(([name, value]) => [name, String(value)]));
    response.writeHead(status, { ...withHeaders(plain, added), 'x-cache': 'Miss from cloudfront' });
    const parts: Buffer[] = [];
    for await (const part of answer) {
      if (isKept) parts.push(part as Buffer);
      response.write(part);
    }
    response.end();
    return { status, headers: plain, body: Buffer.concat(parts) };
  }
}

/** The parameters that the origin gets. CloudFront compares their names as they are written, not decoded. */
function forwardedQuery(query: string, { forwardsQuery, cache }: Behavior): string {
  if (forwardsQuery) return query;
  const parameters = query.split('&').filter((each) => cache?.queryNames.includes(each.split('=')[0] ?? ''));
  return parameters.join('&');
}
