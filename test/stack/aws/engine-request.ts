import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export type EngineAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

type EngineRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
};

/** Headers of one connection, which another one does not take over. */
const HOP = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host', 'expect'];

/** Sends a call on to an engine as it is, but for the host. */
export async function askEngine(url: string, { method, path, headers, body }: EngineRequest): Promise<EngineAnswer> {
  const { hostname, port } = new URL(url);
  const passed = Object.entries(headers).filter(([name, value]) => !HOP.includes(name) && value !== undefined);
  const sent = { ...Object.fromEntries(passed), ...(body.length > 0 && { 'content-length': body.length }) };
  const { promise, resolve, reject } = Promise.withResolvers<EngineAnswer>();
  const asked = request({ hostname, port, method, path, headers: sent as Record<string, string> }, (answer) => {
    const answered = Object.entries(answer.headers).filter(([name]) => !HOP.includes(name));
    buffer(answer).then(
      (content) =>
        resolve({
          status: answer.statusCode ?? 502,
          headers: Object.fromEntries(answered.map(([name, value]) => [name, String(value)])),
          body: content,
        }),
      reject,
    );
  });
  asked.on('error', reject);
  asked.end(body);
  return promise;
}
