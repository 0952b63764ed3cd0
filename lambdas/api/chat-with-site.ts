import { chat as answer } from '../domain/answers/chat.ts';
import { siteScope } from '../domain/answers/chat-scope.ts';
import { chat } from '../routes/chat.ts';
import { chatReply } from '../runtime/chat.ts';
import { chatDeps } from '../runtime/chat-answer.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { streamed } from '../runtime/response-stream.ts';

export const handler = streamed(
  endpoint(chat['chat-with-site'], ({ site, body, wantsEvents, closed }) =>
    chatReply(
      (signal) => answer(siteScope(site), body, { ...chatDeps, signal }),
      { wantsEvents, closed },
      site.settings,
    ),
  ),
);
