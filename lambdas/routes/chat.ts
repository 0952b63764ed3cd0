import * as z from 'zod';
import { HttpUrl } from '../domain/sites/site-settings.ts';
import { FILTERS, Filters, QueryText } from './filters.ts';
import { GroupParams, SiteParams } from './parameters.ts';
import { Count } from './response-fields.ts';
import type { Route } from './route.ts';
import { searchErrors } from './search.ts';

const ChatMessage = z
  .object({
    message: QueryText.optional().describe('the question'),
    query: QueryText.optional().describe('another name for `message`; give one, or two that are equal'),
    sessionId: z.string().max(200).optional().describe('from an earlier answer; an unknown or expired one is replaced'),
    filters: Filters.optional().describe(FILTERS),
    contextUrl: HttpUrl.optional().describe('the page that the visitor is reading'),
  })
  .meta({ id: 'ChatRequest' });

/** Accepts both variants of the contract and returns one `question`. */
export const ChatRequest = ChatMessage.transform(({ message, query, ...rest }, context) => {
  const question = message ?? query;
  if (question !== undefined && (query === undefined || query === question)) return { question, ...rest };
  const problem = question === undefined ? '`message` or `query` is required' : '`message` and `query` must be equal';
  context.issues.push({ code: 'custom', message: problem, input: message, path: ['message'] });
  return z.NEVER;
});
export type ChatRequest = z.infer<typeof ChatRequest>;

const Relevance = z.number().min(0).max(1).describe('how well the page fits the question, 0 to 1');

/** Contains the fields of both variants of the contract: `response` equals `answer`, `relevance` equals `score`. */
export const ChatResponse = z
  .object({
    response: z.string().describe('may contain Markdown'),
    answer: z.string().describe('the same as `response`'),
    sources: z
      .array(
        z
          .object({
            url: z.string().describe('the address of the page'),
            title: z.string().describe('the title of the page'),
            relevance: Relevance,
            score: Relevance.describe('the same as `relevance`'),
          })
          .meta({ id: 'ChatSource' }),
      )
      .describe('the pages that the answer is taken from, in the order of its citations'),
    sessionId: z.string().optional().describe('absent if sessions are not kept'),
    tokensUsed: Count.describe('tokens of models, input and output; 0 for an answer that quotes'),
  })
  .meta({ id: 'ChatResponse' });
export type ChatResponse = z.infer<typeof ChatResponse>;

export const chat = {
  'chat-with-site': {
    method: 'post',
    paths: ['/public/sites/{siteId}/chat'],
    summary: 'Answer a question from a site, with sources',
    uses: ['table', 'index-reader', 'event-sink', 'embedder', 'chat-model'],
    access: { feature: 'chat', scope: 'site' },
    params: SiteParams,
    body: ChatRequest,
    status: 200,
    response: ChatResponse,
    streams: true,
    errors: searchErrors,
  },
  'chat-with-group': {
    method: 'post',
    paths: ['/public/groups/{groupId}/chat'],
    summary: 'Answer a question from a group of sites, with sources',
    uses: ['table', 'index-reader', 'event-sink', 'embedder', 'chat-model'],
    access: { feature: 'chat', scope: 'group' },
    params: GroupParams,
    body: ChatRequest,
    status: 200,
    response: ChatResponse,
    streams: true,
    errors: searchErrors,
  },
} as const satisfies Record<string, Route>;
