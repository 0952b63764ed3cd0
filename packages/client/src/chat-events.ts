import type { components } from './openapi.ts';
import { errorOf, SearchError } from './search-error.ts';

type ChatResponse = components['schemas']['ChatResponse'];
export type ChatSource = components['schemas']['ChatSource'];
/** The sources come before the text, and the whole answer last. `degraded`: a model was not to be had, so it quotes. */
export type ChatEvent =
  | { readonly type: 'sources'; readonly sources: readonly ChatSource[] }
  | { readonly type: 'token'; readonly text: string }
  | ({ readonly type: 'done'; readonly degraded?: boolean } & ChatResponse);

/** The events of an answer: of a stream, or of JSON where a proxy does not let streams through. */
export async function* chatEvents(response: Response): AsyncGenerator<ChatEvent> {
  if (!response.headers.get('Content-Type')?.startsWith('text/event-stream')) return yield* eventsOfJson(response);
  let last: ChatEvent['type'] | undefined;
  for await (const { name, data } of framesOf(response)) {
    if (name === 'error') throw errorOf(data, response.status);
    if (name !== 'sources' && name !== 'token' && name !== 'done') continue;
    last = name;
    yield { type: name, ...data } as ChatEvent;
  }
  if (last !== 'done') throw new SearchError('unreachable', 'The answer broke off.', { status: response.status });
}

async function* eventsOfJson(response: Response): AsyncGenerator<ChatEvent> {
  const answer = (await response.json()) as ChatResponse;
  yield { type: 'sources', sources: answer.sources };
  yield { type: 'token', text: answer.answer };
  yield { type: 'done', ...answer };
}

type Frame = { readonly name: string; readonly data: object };

/** Server-sent events, as the service writes them: data of one line. Ends the answer when the consumer stops. */
async function* framesOf({ body }: Response): AsyncGenerator<Frame> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      const frames = (rest + part.value).split(/\r?\n\r?\n/);
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        const [, name = '', data = '{}'] = /^event: (\w+)\r?\ndata: (.*)/m.exec(frame) ?? [];
        if (name) yield { name, data: JSON.parse(data) };
      }
    }
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}
