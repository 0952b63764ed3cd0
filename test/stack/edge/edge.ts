import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { matchesWildcard } from '../iam/wildcard.ts';
import { acceptedEncoding, cacheKey, type EdgeAnswer, EdgeCache, secondsToKeep } from './cache.ts';
import type { Behavior, Distribution } from './distribution.ts';
import { type LoggedRequest, standardLog } from './standard-log.ts';
import { type ViewerRequest, viewerRequest } from './viewer-request.ts';

/** Headers of one connection, and those that the edge sets itself. */
const NOT_FORWARDED = ['connection', 'keep-alive', 'transfer-encoding', 'host', 'expect'];

/** CloudFront: one edge location of the distribution, in front of the gateway. */
export class Edge {
  readonly cache = new EdgeCache();
  #distribution: Distribution;
  readonly #gatewayUrl: string;
  readonly #server: Server;
  readonly #requests: LoggedRequest[] = [];

  constructor(distribution: Distribution, gatewayUrl: string) {
    this.#distribution = distribution;
    this.#gatewayUrl = gatewayUrl;
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
    const edited = viewerRequest(behavior.functionCode, { ip, method, uri, headers: viewer.headers });
    const key = behavior.cache && reads ? cacheKey(edited, new URLSearchParams(query), behavior.cache) : undefined;
    const cached = key === undefined ? undefined : this.cache.get(key);
    if (cached) {
      log(cached.status, 'Hit');
      response.writeHead(cached.status, {
        ...withSecurity(cached.headers, behavior),
        'x-cache': 'Hit from cloudfront',
      });
      return void response.end(cached.body);
    }
    const { status } = await this.#pass(method, edited, query, body, behavior, key, response);
    log(status, 'Miss');
  }

  /** Passes a request on to the origin, and streams its answer back. */
  async #pass(
    method: string,
    edited: ViewerRequest,
    query: string,
    body: Buffer,
    behavior: Behavior,
    key: string | undefined,
    response: ServerResponse,
  ): Promise<{ readonly status: number }> {
    const { origin, uncachedErrors } = this.#distribution;
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
    response.writeHead(status, { ...withSecurity(plain, behavior), 'x-cache': 'Miss from cloudfront' });
    const parts: Buffer[] = [];
    for await (const part of answer) {
      if (key !== undefined) parts.push(part as Buffer);
      response.write(part);
    }
    response.end();
    const kept: EdgeAnswer = { status, headers: plain, body: Buffer.concat(parts) };
    if (key !== undefined && behavior.cache && !uncachedErrors.has(status))
      this.cache.put(key, kept, secondsToKeep(kept, behavior.cache));
    return { status };
  }
}

/** The parameters that the origin gets. CloudFront compares their names as they are written, not decoded. */
function forwardedQuery(query: string, { forwardsQuery, cache }: Behavior): string {
  if (forwardsQuery) return query;
  const parameters = query.split('&').filter((each) => cache?.queryNames.includes(each.split('=')[0] ?? ''));
  return parameters.join('&');
}

function withSecurity(
  headers: Readonly<Record<string, string>>,
  { securityHeaders }: Behavior,
): Record<string, string> {
  const added = securityHeaders.filter(({ name, overrides }) => overrides || headers[name] === undefined);
  return { ...headers, ...Object.fromEntries(added.map(({ name, value }) => [name, value])) };
}
