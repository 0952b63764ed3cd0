import type { ChatEvent } from '../domain/answers/answer.ts';
import type { ChatOutcome } from '../domain/answers/chat.ts';
import type { EventScope } from '../domain/ports/event-log.ts';
import type { ChatResponse } from '../routes/chat.ts';
import { chatResponse, shownSource } from './chat-answer.ts';
import { logChat } from './event-logging.ts';
import { EventReply, type SentEvent } from './event-stream.ts';
import { Reply } from './responses.ts';

type Chat = AsyncGenerator<ChatEvent, ChatOutcome>;

/** Returns the whole answer as JSON, or its events as they happen. Logs the chat when it has ended. */
export async function chatReply(
  chat: (signal: AbortSignal) => Chat,
  { wantsEvents, closed }: { readonly wantsEvents: boolean; readonly closed: AbortSignal },
  source: EventScope,
): Promise<Reply<ChatResponse> | EventReply> {
  if (wantsEvents)
    return EventReply.start((signal) => sentEvents(logged(chat(AbortSignal.any([signal, closed])), source)));
  const events = logged(chat(closed), source);
  for (;;) {
    const { value, done } = await events.next();
    if (done) return new Reply(chatResponse(value), value.degraded ? { 'X-Answer-Degraded': '1' } : {});
  }
}

async function* logged(chat: Chat, source: EventScope): Chat {
  const outcome = yield* chat;
  logChat(source, outcome);
  return outcome;
}

async function* sentEvents(chat: Chat): AsyncGenerator<SentEvent> {
  for (;;) {
    const { value, done } = await chat.next();
    if (done) return yield { event: 'done', data: { ...chatResponse(value), degraded: value.degraded } };
    yield value.type === 'sources'
      ? { event: 'sources', data: { sources: value.sources.map(shownSource) } }
      : { event: 'token', data: { text: value.text } };
  }
}
