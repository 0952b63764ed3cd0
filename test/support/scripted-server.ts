import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type ServedRequest = {
  /** The last part of the header `x-amz-target`. */
  readonly action: string;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};
export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export type ScriptedServer = {
  readonly url: string;
  readonly requests: ServedRequest[];
  close(): Promise<void>;
};

/** Answers in the JSON format of AWS services. */
export const answer =
  (status: number, body: object): Answer =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));

export const silence: Answer = () => undefined;

export const broken: Answer = (_, request) => request.socket.destroy();

/** A server on loopback that gives one answer after the other, then repeats the last. */
export async function scriptedServer(...answers: readonly [Answer, ...Answer[]]): Promise<ScriptedServer> {
  const requests: ServedRequest[] = [];
  const server = createServer(async (request, response) => {
    const { headers, method = '', url: path = '' } = request;
    const action = String(headers['x-amz-target']).split('.').at(-1) ?? '';
    const index = requests.push({ action, method, path, headers, body: '' }) - 1;
    requests[index] = { action, method, path, headers, body: await text(request) };
    (answers[index] ?? answers.at(-1))?.(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
