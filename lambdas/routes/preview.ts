import * as z from 'zod';
import { DEFAULT_MIN_SCORE } from '../domain/search/search-request.ts';
import { TagBoost, UrlBoost } from '../domain/sites/site-settings.ts';
import { ChatResponse } from './chat.ts';
import { FILTERS, Filters, QueryText } from './filters.ts';
import { SiteParams } from './parameters.ts';
import { member, type Route } from './route.ts';
import { searchErrors } from './search.ts';
import { SearchResponse } from './search-response.ts';

const UNSAVED = 'in place of those of the site, for this call only';

export const PreviewRequest = z
  .strictObject({
    query: QueryText,
    limit: z.int().min(1).max(100).default(10).describe('results, at most'),
    minScore: z.number().min(0).max(1).default(DEFAULT_MIN_SCORE).describe('results with a lower score are left out'),
    filters: Filters.optional().describe(FILTERS),
    tagBoosts: z.array(TagBoost).max(1000).optional().describe(UNSAVED),
    urlBoosts: z.array(UrlBoost).max(1000).optional().describe(UNSAVED),
    answer: z.boolean().default(false).describe('answers the query as the chat does, too'),
  })
  .meta({ id: 'PreviewRequest' });

const PreviewResponse = SearchResponse.extend({
  answer: ChatResponse.optional().describe('present if requested'),
}).meta({ id: 'PreviewResponse' });

export const preview = {
  'preview-search': {
    method: 'post',
    paths: ['/sites/{siteId}/preview'],
    summary: 'Search a site, and ask it, with boosts that are not saved; analytics do not count it',
    uses: ['table', 'index-reader', 'embedder', 'chat-model'],
    access: member,
    params: SiteParams,
    body: PreviewRequest,
    status: 200,
    response: PreviewResponse,
    errors: searchErrors,
  },
} as const satisfies Record<string, Route>;
