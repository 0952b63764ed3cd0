import type { ServerResponse } from 'node:http';
import * as z from 'zod';

const Head = z.object({ statusCode: z.number(), headers: z.record(z.string(), z.coerce.string()).default({}) });
const Answer = Head.extend({
  multiValueHeaders: z.record(z.string(), z.array(z.string())).optional(),
  body: z.string().default(''),
  isBase64Encoded: z.boolean().default(false),
});

/** Sends the answer of a function in the form of the proxy integration. */
export function sendAnswer(result: unknown, response: ServerResponse): void {
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded } = Answer.parse(result);
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  response.writeHead(statusCode, { ...headers, ...multiValueHeaders, 'content-length': String(bytes.length) });
  response.end(bytes);
}

const DELIMITER = Buffer.alloc(8);

/** Sends a streamed answer: its head, eight zero bytes, and the body as it comes. */
export class StreamedAnswer {
  readonly #response: ServerResponse;
  #head: Buffer | undefined = Buffer.alloc(0);

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  readonly take = (part: Uint8Array): void => {
    if (this.#head === undefined) return void this.#response.write(part);
    this.#head = Buffer.concat([this.#head, part]);
    const end = this.#head.indexOf(DELIMITER);
    if (end < 0) return;
    const { statusCode, headers } = Head.parse(JSON.parse(this.#head.subarray(0, end).toString()));
    this.#response.writeHead(statusCode, headers);
    const body = this.#head.subarray(end + DELIMITER.length);
    if (body.length > 0) this.#response.write(body);
    this.#head = undefined;
  };

  end(): void {
    if (this.#head !== undefined) throw new Error('The function streamed no head');
    this.#response.end();
  }
}
