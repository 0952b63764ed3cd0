import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Access } from '../iam/access.ts';
import type { Functions } from '../lambda/functions.ts';
import type { GatewayDefinition } from './definition.ts';
import { StreamedAnswer, sendAnswer } from './function-answer.ts';
import { type Match, matchPath } from './match-path.ts';
import { type GatewayRequest, proxyEvent } from './proxy-event.ts';
import { TokenBucket } from './token-bucket.ts';

const EXHAUSTED_SECONDS = 60;
const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** Lambda takes no larger event. */
const MAX_EVENT_BYTES = 6 * 1024 * 1024;

/** API Gateway: the REST API of a template, with its keys, its throttle and its own answers. */
export class RestApi {
  readonly #functions: Functions;
  readonly #access: Access;
  readonly #server: Server;
  #definition: GatewayDefinition;
  #bucket: TokenBucket;

  constructor(definition: GatewayDefinition, functions: Functions, access: Access) {
    this.#functions = functions;
    this.#access = access;
    this.#definition = definition;
    this.#bucket = new TokenBucket(definition.throttle);
    this.#server = createServer((request, response) => {
      const id = randomUUID();
      this.#answer(request, response, id).catch(() => {
        if (response.headersSent) response.destroy();
        else this.#refuse('DEFAULT_5XX', 502, response, id);
      });
    });
  }

  deploy(definition: GatewayDefinition): void {
    this.#definition = definition;
    this.rest();
  }

  /** Takes what the throttle lets through in a long time. */
  exhaust(): void {
    this.#bucket.take(this.#definition.throttle.burst + EXHAUSTED_SECONDS * this.#definition.throttle.perSecond);
  }

  /** Fills the throttle's bucket, as a pause of the callers would. */
  rest(): void {
    this.#bucket = new TokenBucket(this.#definition.throttle);
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void> {
    const { stage, keys } = this.#definition;
    const [full = '/', query = ''] = (request.url ?? '/').split(/\?(.*)/s);
    const refuse = (type: string, status: number) => this.#refuse(type, status, response, requestId);
    if (full !== `/${stage}` && !full.startsWith(`/${stage}/`)) return refuse('DEFAULT_4XX', 403);
    const path = full.slice(stage.length + 1) || '/';
    const method = request.method ?? 'GET';
    const body = await buffer(request);
    const match = matchPath(this.#definition, method, path);
    if (!match) return refuse('MISSING_AUTHENTICATION_TOKEN', 403);
    const value = String(request.headers['x-api-key'] ?? '');
    const id = [...keys].find(([, each]) => each === value)?.[0];
    if (match.method.needsKey && id === undefined) return refuse('INVALID_API_KEY', 403);
    if (!this.#bucket.take()) return refuse('THROTTLED', 429);
    if (body.length > MAX_BODY_BYTES) return refuse('REQUEST_TOO_LARGE', 413);
    const sourceIp = request.socket.remoteAddress ?? '';
    const apiKey = id === undefined ? undefined : { id, value };
    const { rawHeaders } = request;
    await this.#invoke({ method, path, query, rawHeaders, body, sourceIp, requestId, apiKey }, match, response);
  }

  async #invoke(request: GatewayRequest, match: Match, response: ServerResponse): Promise<void> {
    const { functionArn, role, streams } = match.method;
    if (!this.#access.mayAssume('apigateway.amazonaws.com', role))
      throw new Error(`The gateway may not act as ${role}`);
    const isAllowed = this.#access.allows(
      { role },
      { action: 'lambda:InvokeFunction', resource: functionArn, context: {} },
    );
    if (!isAllowed) throw new Error(`The gateway may not invoke ${functionArn}`);
    const event = proxyEvent(request, match, this.#definition);
    if (JSON.stringify(event).length > MAX_EVENT_BYTES)
      return this.#refuse('REQUEST_TOO_LARGE', 413, response, request.requestId);
    if (!streams) return sendAnswer(await this.#functions.invoke(functionArn, event), response);
    const answer = new StreamedAnswer(response);
    await this.#functions.invoke(functionArn, event, answer.take);
    answer.end();
  }

  #refuse(type: string, usualStatus: number, response: ServerResponse, requestId: string): void {
    const { responses } = this.#definition;
    const described = responses[type] ?? responses[usualStatus < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX'];
    if (!described) throw new Error(`The gateway has no answer for ${type}`);
    const headers = Object.entries(described.responseParameters).map(([name, value]) => {
      const literal = /^'(.*)'$/.exec(value)?.[1];
      if (literal === undefined && value !== 'context.requestId') throw new Error(`Unknown value ${value} of ${name}`);
      return [name.replace('gatewayresponse.header.', ''), literal ?? requestId] as const;
    });
    const body = described.responseTemplates['application/json'];
    response.writeHead(described.statusCode ?? usualStatus, {
      ...Object.fromEntries(headers),
      'content-type': 'application/json',
      'x-amzn-errortype': type,
    });
    response.end(body);
  }
}
