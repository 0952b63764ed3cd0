import type { Writable } from 'node:stream';

/*
 * The global object by which handlers stream in Lambda (docs: "Writing response streaming-enabled Lambda functions").
 */

export type StreamingHandler = (event: unknown, out: Writable, context: unknown) => Promise<void>;

/** The separator between the head of an HTTP answer and its body. */
const DELIMITER = new Uint8Array(8);

const streaming = new WeakSet<object>();

export const isStreaming = (handler: object): handler is StreamingHandler => streaming.has(handler);

export function defineStreaming(): void {
  Object.assign(globalThis, {
    awslambda: {
      streamifyResponse(handler: StreamingHandler): StreamingHandler {
        streaming.add(handler);
        return handler;
      },
      HttpResponseStream: {
        from(out: Writable, head: unknown): Writable {
          out.write(JSON.stringify(head));
          out.write(DELIMITER);
          return out;
        },
      },
    },
  });
}
