import { table } from '#adapters/table';
import { chat as answer } from '../core/chat/chat.ts';
import { groupScope } from '../core/chat/chat-scope.ts';
import { sitesInGroup } from '../core/groups/sites-in-group.ts';
import { chat } from '../routes/chat.ts';
import { chatDeps } from '../runtime/chat-deps.ts';
import { chatReply } from '../runtime/chat-reply.ts';
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
