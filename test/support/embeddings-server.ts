import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

export type Mood =
  | 'well'
  | 'failing'
  | 'silent'
  | 'busy'
  | 'refusing'
  | 'other dimensions'
  | 'too few'
  | 'no JSON'
  | 'gone';

export const DIMENSIONS = 8;

/** A server on loopback with the embeddings API of OpenAI. A test sets its mood and reads which texts it received. */
export class EmbeddingsServer {
  mood: Mood = 'well';
  readonly asked: string[] = [];
  pauseMs = 0;
  /** Returns the vector of a text. By default every text has the same vector. */
  vectorOf: (text: string) => readonly number[] = () => Array(DIMENSIONS).fill(0.5);
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  static async start(): Promise<EmbeddingsServer> {
    const started = new EmbeddingsServer();
    await new Promise<void>((resolve) => started.#server.listen(0, '127.0.0.1', resolve));
    started.#server.unref();
    return started;
  }

  /** The variables that make a service use this server. */
  get env(): Readonly<Record<string, string>> {
    const { port } = this.#server.address() as AddressInfo;
    return {
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      EMBEDDING_DIMENSIONS: String(DIMENSIONS),
      CHAT_MODEL: 'none',
    };
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { input } = JSON.parse(await text(request)) as { input: string | readonly string[] };
    const texts = [input].flat();
    this.asked.push(...texts);
    await delay(this.pauseMs);
    const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
      void response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
    const vectors = (embed = this.vectorOf, missing = 0) => ({
      data: texts.slice(missing).map((each, index) => ({ index, object: 'embedding', embedding: embed(each) })),
      object: 'list',
      model: 'test',
      usage: { prompt_tokens: 1, total_tokens: 1 },
    });
    switch (this.mood) {
      case 'well':
        return json(200, vectors());
      case 'failing':
        return json(500, {}, { 'retry-after-ms': '1' });
      case 'busy':
        return json(429, {}, { 'retry-after': '1' });
      case 'refusing':
        return json(401, { error: { message: 'unknown key' } });
      case 'other dimensions':
        return json(
          200,
          vectors(() => Array(DIMENSIONS + 1).fill(0.5)),
        );
      case 'too few':
        return json(200, vectors(this.vectorOf, 1));
      case 'no JSON':
        return void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Welcome</h1>');
      case 'gone':
        return void response.destroy();
      case 'silent':
    }
  }
}
