import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Dispatcher, request } from 'undici';

const JSON_LINES = { 'content-type': 'application/x-ndjson' };

/** A proxy for OpenSearch that records searches. */
export class EngineRecorder {
  readonly #target: string;
  readonly #server: Server;
  #searches: string[] = [];

  private constructor(target: string) {
    this.#target = target;
    this.#server = createServer(
      (incoming, response) => void this.#forward(incoming, response).catch(() => response.destroy()),
    );
  }

  static async start(target: string): Promise<EngineRecorder> {
    const recorder = new EngineRecorder(target);
    await new Promise<void>((resolve) => recorder.#server.listen(0, '127.0.0.1', resolve));
    return recorder;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Returns the bodies of the searches since the last call. */
  take(): readonly string[] {
    const searches = this.#searches;
    this.#searches = [];
    return searches;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = incoming;
    const sent = await buffer(incoming);
    if (url.startsWith('/_msearch')) this.#searches.push(sent.toString());
    const { statusCode, body } = await request(this.#target + url, {
      method: method as Dispatcher.HttpMethod,
      headers: { 'content-type': headers['content-type'] ?? 'application/json' },
      ...(sent.length > 0 && { body: sent }),
    });
    const received = await buffer(body);
    response.writeHead(statusCode, { 'content-type': 'application/json', 'content-length': received.length });
    response.end(method === 'HEAD' ? undefined : received);
  }
}

export async function replaySearch(target: string, search: string, dispatcher: Dispatcher): Promise<void> {
  const { statusCode, body } = await request(`${target}/_msearch`, {
    method: 'POST',
    headers: JSON_LINES,
    body: search,
    dispatcher,
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${statusCode} ${text}`);
}
