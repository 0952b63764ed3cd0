import { table } from '#adapters/table';
import { chat as answer } from '../domain/answers/chat.ts';
import { groupScope } from '../domain/answers/chat-scope.ts';
import { sitesInGroup } from '../domain/sites/groups/sites-in-group.ts';
import { chat } from '../routes/chat.ts';
import { chatReply } from '../runtime/chat.ts';
import { chatDeps } from '../runtime/chat-answer.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { streamed } from '../runtime/response-stream.ts';

export const handler = streamed(
  endpoint(chat['chat-with-group'], async ({ group, body, wantsEvents, closed }) => {
    const scope = groupScope(group, await sitesInGroup(group, table));
    return chatReply(
      (signal) => answer(scope, body, { ...chatDeps, signal }),
      { wantsEvents, closed },
      { orgId: group.orgId },
    );
  }),
);
