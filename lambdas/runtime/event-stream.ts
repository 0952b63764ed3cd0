import { StreamReply } from './responses.ts';

type Headers = Readonly<Record<string, string>>;

/** An event as it is sent: its name, and its data, which becomes JSON. */
export type SentEvent = { readonly event: string; readonly data: unknown };

/**
 * An answer of server-sent events. It starts after the first event, so that an earlier failure has its own error
 * response.
 */
export class EventReply extends StreamReply {
  readonly events: AsyncIterator<SentEvent>;
  readonly first: IteratorResult<SentEvent>;
  override readonly headers: Headers;
  /** Stops the work on the events. */
  readonly abort: () => void;

  private constructor(
    events: AsyncIterator<SentEvent>,
    first: IteratorResult<SentEvent>,
    abort: () => void,
    headers: Headers,
  ) {
    super();
    this.events = events;
    this.first = first;
    this.abort = abort;
    this.headers = headers;
  }

  override open(failure: (error: unknown) => string, connection: AbortSignal): AsyncGenerator<string> {
    return eventStream(this, failure, connection);
  }

  static async start(
    make: (signal: AbortSignal) => AsyncIterator<SentEvent>,
    headers: Headers = {},
  ): Promise<EventReply> {
    const controller = new AbortController();
    const events = make(controller.signal);
    return new EventReply(events, await events.next(), () => controller.abort(), headers);
  }
}

/** The interval of comments. Proxies close a connection that is silent for longer, usually for 30 seconds or more. */
const KEEP_ALIVE_MS = 10_000;
const KEEP_ALIVE = ': keep-alive\n\n';

/**
 * Yields the text of an event stream, with comments while there is nothing to send. The work stops when the connection
 * is closed. An error becomes the last event, with the data that `failure` returns for it.
 */
export async function* eventStream(
  { events, first, abort }: EventReply,
  failure: (error: unknown) => string,
  connection: AbortSignal,
): AsyncGenerator<string> {
  connection.addEventListener('abort', abort);
  if (connection.aborted) abort();
  try {
    let next = Promise.resolve(first);
    for (;;) {
      const result = await withinKeepAlive(next);
      if (result === 'silent') {
        yield KEEP_ALIVE;
        continue;
      }
      if (result.done) return;
      yield frame(result.value.event, JSON.stringify(result.value.data));
      next = events.next();
      next.catch(() => undefined); // it is awaited above; the consumer may return before
    }
  } catch (error) {
    if (!connection.aborted) yield frame('error', failure(error));
  } finally {
    connection.removeEventListener('abort', abort);
    abort();
  }
}

/** Formats one event. JSON has no line ends, so the data is one line. */
const frame = (event: string, data: string): string => `event: ${event}\ndata: ${data}\n\n`;

async function withinKeepAlive<T>(next: Promise<T>): Promise<T | 'silent'> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<'silent'>((resolve) => {
    timer = setTimeout(() => resolve('silent'), KEEP_ALIVE_MS);
  });
  try {
    return await Promise.race([next, silence]);
  } finally {
    clearTimeout(timer);
  }
}
