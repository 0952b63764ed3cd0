import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { text } from 'node:stream/consumers';
import { credentials } from './credentials.ts';
import { amzDate, authorization } from './sign-request.ts';

/*
 * AWS's JSON protocol, which DynamoDB and SQS speak, without the SDK: what an endpoint imports is loaded at every cold
 * start, and the SDK's client of one service is larger than all else that such a function has. Its types are used.
 */

/** Input and output of each action. */
export type Calls = Readonly<Record<string, readonly [input: object, output: object]>>;

/** One attempt of one call. Throws a `JsonServiceError` for a refusal. */
export type JsonClient<C extends Calls> = <Action extends keyof C & string>(
  action: Action,
  input: C[Action][0],
  signal: AbortSignal,
) => Promise<C[Action][1]>;

export type JsonService = {
  /** As requests are signed, and as the host begins: `dynamodb`. */
  readonly name: string;
  /** What an action is called with: `DynamoDB_20120810`. */
  readonly target: string;
  readonly region: string;
  readonly url: string | undefined;
  /** Of the protocol. @default 1.0 */
  readonly version?: '1.0' | '1.1';
};

/** A refusal: its name is the service's, its details are all that the service told. */
export class JsonServiceError extends Error {
  override readonly name: string;
  readonly $metadata: { readonly httpStatusCode: number };
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, details: Readonly<Record<string, unknown>>) {
    super(String(details.message ?? details.Message ?? `status ${status}`));
    this.name =
      String(details.__type ?? '')
        .split('#')
        .at(-1) || 'JsonServiceError';
    this.$metadata = { httpStatusCode: status };
    this.details = details;
  }
}

/** Below the time after which the other side may close a connection that nothing was sent on. */
const LONGEST_IDLE_MS = 15_000;
const AGENT_OPTIONS = { keepAlive: true, maxSockets: 100 };
const LONGEST_MESSAGE = 300;

export function jsonClient<C extends Calls>(service: JsonService): JsonClient<C> {
  const url = new URL(service.url ?? regionUrl(service));
  const { request, Agent } = url.protocol === 'http:' ? http : https;
  let agent = new Agent(AGENT_OPTIONS);
  let lastUsed = performance.now();

  /** A function may have been frozen for minutes: its connections are then of no use, and it cannot know. */
  const freshAgent = () => {
    if (performance.now() - lastUsed > LONGEST_IDLE_MS) agent = new Agent(AGENT_OPTIONS);
    lastUsed = performance.now();
    return agent;
  };

  return async (action, input, signal) => {
    const body = JSON.stringify(input);
    const headers = await signedHeaders(service, { action, host: url.host, body });
    const sent = request(url, { method: 'POST', headers, agent: freshAgent(), signal });
    // Once there is a response its reader is told of errors, but one that nobody listens for here would end the process.
    sent.on('error', () => undefined);
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
    const answer = await text(response);
    lastUsed = performance.now();
    const { statusCode = 0 } = response;
    if (statusCode !== 200) throw new JsonServiceError(statusCode, detailsOf(answer));
    return JSON.parse(answer || '{}');
  };
}

function regionUrl({ name, region }: JsonService): string {
  return `https://${name}.${region}.${region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'}`;
}

async function signedHeaders(
  { name, target, region, version = '1.0' }: JsonService,
  { action, host, body }: { readonly action: string; readonly host: string; readonly body: string },
) {
  const { sessionToken, ...keys } = await credentials();
  const headers = {
    'content-type': `application/x-amz-json-${version}`,
    host,
    'x-amz-date': amzDate(new Date()),
    'x-amz-target': `${target}.${action}`,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
  };
  return { ...headers, authorization: authorization({ region, service: name, headers, body }, keys) };
}

/** What stands between may answer in other words. */
function detailsOf(answer: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(answer));
  } catch {
    return { message: answer.slice(0, LONGEST_MESSAGE) };
  }
}
