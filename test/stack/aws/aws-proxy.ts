import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { AccountClock } from '../account-clock.ts';
import type { Access } from '../iam/access.ts';
import { REGION } from '../template/physical-names.ts';
import { type AwsCall, describeCall, type Need, type ServiceName } from './aws-call.ts';
import { askEngine, type EngineAnswer } from './engine-request.ts';
import { type AccessKey, verifySignature } from './signature.ts';

/** Answers the calls of a service: an engine by its URL, or a part of test/stack. */
export type Backend = string | ((call: AwsCall, headers: IncomingMessage['headers']) => Promise<EngineAnswer>);

export type AwsProxyParts = {
  readonly access: Access;
  readonly clock: AccountClock;
  readonly keyOf: (id: string) => AccessKey | undefined;
  readonly backends: Readonly<Record<ServiceName, Backend>>;
};

/**
 * Stands for the hosts of AWS: verifies the signature of every call, decides by the role of the caller, and passes the
 * call on to an engine. A call that is not signed well, unknown or denied is refused and remembered as a fault.
 */
export class AwsProxy {
  readonly faults: string[] = [];
  calls = 0;
  readonly #parts: AwsProxyParts;
  readonly #server: Server;

  constructor(parts: AwsProxyParts) {
    this.#parts = parts;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        this.faults.push(`${request.method} ${request.headers.host}${request.url}: ${error}`);
        if (!response.headersSent) response.writeHead(400, { 'Content-Type': 'text/plain' });
        response.end(String(error));
      });
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return String((this.#server.address() as AddressInfo).port);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { access, clock, keyOf, backends } = this.#parts;
    this.calls++;
    const { method = 'GET', url: path = '/', headers } = request;
    const body = await buffer(request);
    const call = { host: headers.host ?? '', method, path, target: String(headers['x-amz-target'] ?? ''), body };
    const { name, signedFor, needs } = describeCall(call);
    const { key, region, service } = verifySignature({ method, path, headers, body }, { keyOf, now: clock.now() });
    if (region !== REGION || service !== signedFor) throw new Error(`signed for ${service} in ${region}`);
    const denied = needs.find((need) => !access.allows({ role: key.role }, need));
    const answer = denied ? refusal(name, key, denied) : await this.#ask(backends[name], call, headers);
    const hidden = answer.status === 404 && name === 's3' && !this.#mayList(key, needs);
    this.#send(response, hidden ? refusal(name, key, { action: 's3:ListBucket', resource: '', context: {} }) : answer);
  }

  /**
   * Answers with the time of the account: the SDK signs by the difference between its clock and that of the answers.
   */
  #send(response: ServerResponse, { status, headers, body }: EngineAnswer): void {
    const date = new Date(this.#parts.clock.now()).toUTCString();
    response.writeHead(status, { ...headers, date, ...(body.length > 0 && { 'content-length': String(body.length) }) });
    response.end(body);
  }

  #ask(backend: Backend, call: AwsCall, headers: IncomingMessage['headers']): Promise<EngineAnswer> {
    return typeof backend === 'string' ? askEngine(backend, { ...call, headers }) : backend(call, headers);
  }

  /** S3 says that an object is not there only to those who may list the bucket. */
  #mayList(key: AccessKey, needs: readonly Need[]): boolean {
    const bucket = needs[0]?.resource.split('/', 1)[0] ?? '';
    return this.#parts.access.allows({ role: key.role }, { action: 's3:ListBucket', resource: bucket, context: {} });
  }
}

function refusal(name: ServiceName, { role }: AccessKey, { action, resource }: Need): EngineAnswer {
  const message = `User: ${role} is not authorized to perform: ${action} on resource: ${resource}`;
  if (name === 's3') {
    const body = Buffer.from(`<Error><Code>AccessDenied</Code><Message>${message}</Message></Error>`);
    return { status: 403, headers: { 'content-type': 'application/xml' }, body };
  }
  const content = name === 'opensearch' ? { Message: message } : { __type: 'AccessDeniedException', message };
  return { status: name === 'opensearch' ? 403 : 400, headers: JSON_TYPE, body: Buffer.from(JSON.stringify(content)) };
}

const JSON_TYPE = { 'content-type': 'application/json' };
