import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it, jest } from '@jest/globals';
import type { ApiEvent, ApiResponse } from '../../lambdas/runtime/api-event.ts';
import { EventReply, eventStream, type SentEvent } from '../../lambdas/runtime/event-stream.ts';
import { streamed, writeBody } from '../../lambdas/runtime/response-stream.ts';

const open = new AbortController().signal;
const failure = () => '{"error":"no","code":"internal_error"}';

async function collected(parts: AsyncIterable<string>): Promise<string> {
  let all = '';
  for await (const part of parts) all += part;
  return all;
}

describe('an event stream', () => {
  it('has a frame for each event, and one for the error that ends it', async () => {
    const reply = await EventReply.start(async function* (): AsyncGenerator<SentEvent> {
      yield { event: 'token', data: { text: 'two\nlines' } };
      throw new Error('broken');
    });
    expect(await collected(eventStream(reply, failure, open))).toBe(
      'event: token\ndata: {"text":"two\\nlines"}\n\nevent: error\ndata: {"error":"no","code":"internal_error"}\n\n',
    );
  });

  it('does not begin if the first event fails', async () => {
    const events = { next: async () => Promise.reject(new RangeError('refused')) };
    const start = EventReply.start(() => events);
    await expect(start).rejects.toThrow(RangeError);
  });

  it('sends comments while there is nothing to send', async () => {
    jest.useFakeTimers();
    try {
      let release: (() => void) | undefined;
      const wait = new Promise<void>((resolve) => {
        release = resolve;
      });
      const reply = await EventReply.start(async function* (): AsyncGenerator<SentEvent> {
        yield { event: 'sources', data: {} };
        await wait;
      });
      const parts = eventStream(reply, failure, open);
      await parts.next();
      const comment = parts.next();
      await jest.advanceTimersByTimeAsync(10_000);
      expect((await comment).value).toBe(': keep-alive\n\n');
      release?.();
      expect((await parts.next()).done).toBe(true);
    } finally {
      jest.useRealTimers();
    }
  });

  it('ends its work when the connection is closed', async () => {
    let ended = false;
    const reply = await EventReply.start(async function* (signal): AsyncGenerator<SentEvent> {
      yield { event: 'sources', data: {} };
      await once(signal, 'abort');
      ended = true;
      throw signal.reason;
    });
    const out = new PassThrough();
    const response: ApiResponse = {
      statusCode: 200,
      headers: {},
      body: '',
      stream: (closed) => eventStream(reply, failure, closed),
    };
    const written = writeBody(response, out);
    await once(out, 'data');
    out.destroy();
    await written;
    expect(ended).toBe(true);
  });
});

describe('a handler in Lambda', () => {
  it('writes status and headers as the metadata of its stream, then the body', async () => {
    const out = new PassThrough();
    const metadata: unknown[] = [];
    const from = (stream: unknown, about: unknown) => {
      metadata.push(about);
      return stream;
    };
    Object.assign(globalThis, {
      awslambda: { streamifyResponse: (run: unknown) => run, HttpResponseStream: { from } },
    });
    try {
      const handler = streamed(async () => ({ statusCode: 403, headers: { Vary: 'Origin' }, body: '{}' }));
      await (handler as unknown as (event: ApiEvent, out: PassThrough, context: object) => Promise<void>)(
        {} as ApiEvent,
        out,
        {},
      );
      expect(await text(out)).toBe('{}');
      expect(metadata).toEqual([{ statusCode: 403, headers: { Vary: 'Origin' } }]);
    } finally {
      Reflect.deleteProperty(globalThis, 'awslambda');
    }
  });
});
