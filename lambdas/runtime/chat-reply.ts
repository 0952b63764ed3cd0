import type { ChatEvent, ChatOutcome } from '../core/chat/chat.ts';
import type { Source } from '../core/chat/sources.ts';
import type { ChatResponse } from '../routes/chat.ts';
import { EventReply, type SentEvent } from './event-stream.ts';
import { Reply } from './responses.ts';

type Chat = AsyncGenerator<ChatEvent, ChatOutcome>;

/** The whole answer as JSON, or its events while they happen. */
export async function chatReply(
  chat: (signal: AbortSignal) => Chat,
  wantsEvents: boolean,
): Promise<Reply<ChatResponse> | EventReply> {
  if (wantsEvents) return EventReply.start((signal) => sentEvents(chat(signal)));
  const events = chat(new AbortController().signal);
  for (;;) {
    const { value, done } = await events.next();
    if (done) return new Reply(responseOf(value), value.degraded ? { 'X-Answer-Degraded': '1' } : {});
  }
}

async function* sentEvents(chat: Chat): AsyncGenerator<SentEvent> {
  for (;;) {
    const { value, done } = await chat.next();
    if (done) return yield { event: 'done', data: { ...responseOf(value), degraded: value.degraded } };
    yield value.type === 'sources'
      ? { event: 'sources', data: { sources: value.sources.map(shownSource) } }
      : { event: 'token', data: { text: value.text } };
  }
}

const responseOf = ({ answer, sources, sessionId, tokens }: ChatOutcome): ChatResponse => ({
  ...{ response: answer, answer, sources: sources.map(shownSource) },
  ...(sessionId !== undefined && { sessionId }),
  tokensUsed: tokens,
});

const shownSource = ({ url, title, relevance }: Source) => ({ url, title, relevance, score: relevance });
