import { tableReader } from '#adapters/table';
import { previewSearch } from '../domain/insight/preview-search.ts';
import { preview } from '../routes/preview.ts';
import { chatDeps, chatResponse } from '../runtime/chat-answer.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { searchDeps, searchReply } from '../runtime/search.ts';

export const handler = endpoint(preview['preview-search'], async ({ params, body, caller, closed }) => {
  const { response, outcome, degraded } = await previewSearch(params.siteId, body, caller, {
    table: tableReader,
    search: searchDeps(caller.orgId),
    chat: { ...chatDeps, signal: closed },
  });
  return searchReply({ response: { ...response, ...(outcome && { answer: chatResponse(outcome) }) }, degraded });
});
