import * as z from 'zod';
import {
  DEFAULT_MIN_SCORE,
  DEFAULT_OPTIONS,
  type SearchRequest as SiteSearchRequest,
} from '../domain/search/search-request.ts';
import { MAX_URL_LENGTH } from '../text/web/url.ts';
import { FacetNames, FacetNamesInUrl, FILTERS, Filters, FiltersInUrl, QueryText } from './filters.ts';
import { flagInUrl, GroupParams, intInUrl, numberInUrl, SiteParams } from './parameters.ts';
import { Success } from './response-fields.ts';
import type { Route } from './route.ts';
import { FacetsResponse, GroupSearchResponse, SearchResponse, SuggestResponse } from './search-response.ts';

const MAX_SITE_RESULTS = 100;
const MAX_GROUP_RESULTS = 50;
const MAX_OFFSET = 1000;
const MAX_SECTIONS = 5;
const DEFAULTS = { ...DEFAULT_OPTIONS, limit: 10, minScore: DEFAULT_MIN_SCORE, offset: 0 };

const LIMIT = 'results, at most';
const MIN_SCORE = 'results with a lower score are left out';
const OFFSET = 'results to leave out before the first';
const AUTOCOMPLETE = 'whether the last word may be the beginning of a word';
const EXACT = 'searches the words as typed, without corrections and completions';
const SECTIONS = 'further passages of each page, at most this many';

const queryOf = (maxLimit: number) =>
  z.object({
    q: QueryText,
    limit: intInUrl({ min: 1, max: maxLimit, default: DEFAULTS.limit }).describe(LIMIT),
    minScore: numberInUrl({ min: 0, max: 1, default: DEFAULTS.minScore }).describe(MIN_SCORE),
    offset: intInUrl({ min: 0, max: MAX_OFFSET, default: DEFAULTS.offset }).describe(OFFSET),
    filters: FiltersInUrl.optional(),
    facets: FacetNamesInUrl.optional(),
    autocomplete: flagInUrl(DEFAULTS.autocomplete).describe(AUTOCOMPLETE),
    exact: flagInUrl(DEFAULTS.exact).describe(EXACT),
    sections: intInUrl({ min: 0, max: MAX_SECTIONS, default: DEFAULTS.sections }).describe(SECTIONS),
  });

const requestOf = (maxLimit: number) =>
  z.object({
    query: QueryText,
    limit: z.int().min(1).max(maxLimit).default(DEFAULTS.limit).describe(LIMIT),
    minScore: z.number().min(0).max(1).default(DEFAULTS.minScore).describe(MIN_SCORE),
    offset: z.int().min(0).max(MAX_OFFSET).default(DEFAULTS.offset).describe(OFFSET),
    filters: Filters.optional().describe(FILTERS),
    facets: FacetNames.optional(),
    autocomplete: z.boolean().default(DEFAULTS.autocomplete).describe(AUTOCOMPLETE),
    exact: z.boolean().default(DEFAULTS.exact).describe(EXACT),
    sections: z.int().min(0).max(MAX_SECTIONS).default(DEFAULTS.sections).describe(SECTIONS),
  });

export const SearchRequest = requestOf(MAX_SITE_RESULTS).meta({
  id: 'SearchRequest',
}) satisfies z.ZodType<SiteSearchRequest>;
export const GroupSearchRequest = requestOf(MAX_GROUP_RESULTS).meta({ id: 'GroupSearchRequest' });

const FacetsQuery = z.object({
  q: QueryText.optional().describe(
    'counts only the pages that a search for it finds, among at most 1,000 candidates; by default all pages',
  ),
  filters: FiltersInUrl.optional(),
});

const Click = z
  .object({
    type: z.literal('click').describe('a result was opened'),
    query: QueryText.describe('the query of the search'),
    url: z.string().min(1).max(MAX_URL_LENGTH).describe('of the result'),
    position: z
      .int()
      .min(1)
      .max(MAX_OFFSET + MAX_SITE_RESULTS)
      .describe('1 for the first result'),
  })
  .meta({ id: 'Click' });

const Feedback = z
  .object({
    type: z.literal('feedback').describe('a visitor judges an answer'),
    sessionId: z.string().min(1).max(200).optional().describe('of the answer'),
    query: QueryText.optional().describe('the question; give it, `sessionId` or both'),
    helpful: z.boolean().describe('whether the answer helped'),
    comment: z.string().max(2000).optional().describe('what the visitor adds'),
  })
  .refine(
    ({ sessionId, query }) => sessionId !== undefined || query !== undefined,
    '`sessionId` or `query` is required',
  )
  .meta({ id: 'Feedback' });

export const SearchEvent = z.discriminatedUnion('type', [Click, Feedback]).meta({ id: 'SearchEvent' });
export type SearchEvent = z.infer<typeof SearchEvent>;

const siteSearch = { feature: 'search', scope: 'site' } as const;
const groupSearch = { feature: 'search', scope: 'group' } as const;

export const searchErrors = ['unknown_filter_field', 'search_unavailable'] as const;

export const search = {
  'search-site': {
    method: 'get',
    paths: ['/public/sites/{siteId}/search'],
    summary: 'Search a site, best results first',
    uses: ['index-reader', 'event-sink', 'embedder'],
    access: siteSearch,
    params: SiteParams,
    query: queryOf(MAX_SITE_RESULTS),
    status: 200,
    response: SearchResponse,
    errors: searchErrors,
  },
  'search-site-by-post': {
    method: 'post',
    paths: ['/public/sites/{siteId}/search'],
    summary: 'Search by POST, for queries too long for a URL; never cached',
    uses: ['index-reader', 'event-sink', 'embedder'],
    access: siteSearch,
    params: SiteParams,
    body: SearchRequest,
    status: 200,
    response: SearchResponse,
    errors: searchErrors,
  },
  'get-site-facets': {
    method: 'get',
    paths: ['/public/sites/{siteId}/facets'],
    summary: 'Get the values of the facets of a site with counts, also of `tags` and `language`',
    uses: ['index-reader', 'embedder'],
    access: siteSearch,
    params: SiteParams,
    query: FacetsQuery,
    status: 200,
    response: FacetsResponse,
    errors: searchErrors,
  },
  'suggest-in-site': {
    method: 'get',
    paths: ['/public/sites/{siteId}/suggest'],
    summary: 'Suggest page titles and frequent queries of a site',
    uses: ['index-reader', 'event-reader'],
    access: siteSearch,
    countsAs: 'suggest',
    params: SiteParams,
    query: z.object({ q: QueryText }),
    status: 200,
    response: SuggestResponse,
    errors: ['search_unavailable'],
  },
  'record-event': {
    method: 'post',
    paths: ['/public/sites/{siteId}/events'],
    summary: 'Record that a result was opened, or whether an answer helped',
    uses: ['event-sink'],
    access: siteSearch,
    countsAs: 'event',
    params: SiteParams,
    body: SearchEvent,
    status: 202,
    response: Success,
  },
  'search-group': {
    method: 'get',
    paths: ['/public/groups/{groupId}/search'],
    summary: 'Search all sites of a group, in one ranking',
    uses: ['index-reader', 'event-sink', 'embedder'],
    access: groupSearch,
    params: GroupParams,
    query: queryOf(MAX_GROUP_RESULTS),
    status: 200,
    response: GroupSearchResponse,
    errors: searchErrors,
  },
  'search-group-by-post': {
    method: 'post',
    paths: ['/public/groups/{groupId}/search'],
    summary: 'Search by POST, for queries too long for a URL; never cached',
    uses: ['index-reader', 'event-sink', 'embedder'],
    access: groupSearch,
    params: GroupParams,
    body: GroupSearchRequest,
    status: 200,
    response: GroupSearchResponse,
    errors: searchErrors,
  },
  'get-group-facets': {
    method: 'get',
    paths: ['/public/groups/{groupId}/facets'],
    summary: 'Get the values of the facets of the sites of a group with counts',
    uses: ['index-reader', 'embedder'],
    access: groupSearch,
    params: GroupParams,
    query: FacetsQuery,
    status: 200,
    response: FacetsResponse,
    errors: searchErrors,
  },
  'suggest-in-group': {
    method: 'get',
    paths: ['/public/groups/{groupId}/suggest'],
    summary: 'Suggest page titles of the sites of a group',
    uses: ['index-reader'],
    access: groupSearch,
    countsAs: 'suggest',
    params: GroupParams,
    query: z.object({ q: QueryText }),
    status: 200,
    response: SuggestResponse,
    errors: ['search_unavailable'],
  },
} as const satisfies Record<string, Route>;
