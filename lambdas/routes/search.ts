import * as z from 'zod';
import type { SearchRequest as SiteSearchRequest } from '../core/search/search-site.ts';
import { MAX_URL_LENGTH } from '../core/web/url.ts';
import { Success } from './answers.ts';
import { FacetNames, FacetNamesInUrl, Filters, FiltersInUrl, QueryText } from './filters.ts';
import { GroupParams, numberInUrlWithin, SiteParams, wholeNumberInUrl } from './parameters.ts';
import type { Route } from './route.ts';
import { Facets, GroupSearchResponse, SearchResponse, Suggestions } from './search-response.ts';

const MOST_OF_SITE = 100;
const MOST_OF_GROUP = 50;
const MOST_OFFSET = 1000;
const OTHERWISE = { limit: 10, minScore: 0.3, offset: 0 };

const queryOf = (most: number) =>
  z.object({
    q: QueryText,
    limit: wholeNumberInUrl({ from: 1, to: most, otherwise: OTHERWISE.limit }),
    minScore: numberInUrlWithin({ from: 0, to: 1, otherwise: OTHERWISE.minScore }),
    offset: wholeNumberInUrl({ from: 0, to: MOST_OFFSET, otherwise: OTHERWISE.offset }),
    filters: FiltersInUrl.optional(),
    facets: FacetNamesInUrl.optional(),
  });

const requestOf = (most: number) =>
  z.object({
    query: QueryText,
    limit: z.int().min(1).max(most).default(OTHERWISE.limit),
    minScore: z.number().min(0).max(1).default(OTHERWISE.minScore),
    offset: z.int().min(0).max(MOST_OFFSET).default(OTHERWISE.offset),
    filters: Filters.optional(),
    facets: FacetNames.optional(),
  });

export const SearchRequest = requestOf(MOST_OF_SITE).meta({
  id: 'SearchRequest',
}) satisfies z.ZodType<SiteSearchRequest>;
export const GroupSearchRequest = requestOf(MOST_OF_GROUP).meta({ id: 'GroupSearchRequest' });

const FacetsQuery = z.object({
  q: QueryText.optional().describe('counts the pages that pass; without it all pages'),
  filters: FiltersInUrl.optional(),
});

const Click = z.object({
  type: z.literal('click'),
  query: QueryText,
  url: z.string().min(1).max(MAX_URL_LENGTH),
  position: z
    .int()
    .min(1)
    .max(MOST_OFFSET + MOST_OF_SITE)
    .describe('1 for the first result'),
});

const Feedback = z
  .object({
    type: z.literal('feedback'),
    sessionId: z.string().min(1).max(200).optional(),
    query: QueryText.optional(),
    helpful: z.boolean(),
    comment: z.string().max(2000).optional(),
  })
  .refine(
    ({ sessionId, query }) => sessionId !== undefined || query !== undefined,
    '`sessionId` or `query` is required',
  );

export const SearchEvent = z.discriminatedUnion('type', [Click, Feedback]).meta({ id: 'SearchEvent' });
export type SearchEvent = z.infer<typeof SearchEvent>;

const ofSite = { feature: 'search', scope: 'site' } as const;
const ofGroup = { feature: 'search', scope: 'group' } as const;

export const search = {
  'search-site': {
    method: 'get',
    paths: ['/public/sites/{siteId}/search'],
    summary: 'Pages of a site that answer a query, the best first',
    access: ofSite,
    params: SiteParams,
    query: queryOf(MOST_OF_SITE),
    status: 200,
    response: SearchResponse,
    errors: ['unknown_filter_field', 'search_unavailable'],
  },
  'search-site-by-post': {
    method: 'post',
    paths: ['/public/sites/{siteId}/search'],
    summary: 'The same for queries that a URL cannot hold; never cached',
    access: ofSite,
    params: SiteParams,
    body: SearchRequest,
    status: 200,
    response: SearchResponse,
    errors: ['unknown_filter_field', 'search_unavailable'],
  },
  'get-site-facets': {
    method: 'get',
    paths: ['/public/sites/{siteId}/facets'],
    summary: 'What can be filtered by, with counts',
    access: ofSite,
    params: SiteParams,
    query: FacetsQuery,
    status: 200,
    response: Facets,
    errors: ['unknown_filter_field', 'search_unavailable'],
    pending: true,
  },
  'suggest-in-site': {
    method: 'get',
    paths: ['/public/sites/{siteId}/suggest'],
    summary: 'Completions of what is being typed: page titles and frequent queries',
    access: ofSite,
    params: SiteParams,
    query: z.object({ q: QueryText }),
    status: 200,
    response: Suggestions,
    errors: ['search_unavailable'],
    pending: true,
  },
  'record-event': {
    method: 'post',
    paths: ['/public/sites/{siteId}/events'],
    summary: 'Tells that a result was opened, or whether an answer helped',
    access: ofSite,
    params: SiteParams,
    body: SearchEvent,
    status: 202,
    response: Success,
    pending: true,
  },
  'search-group': {
    method: 'get',
    paths: ['/public/groups/{groupId}/search'],
    summary: 'Pages of all sites of a group that answer a query, in one ranking',
    access: ofGroup,
    params: GroupParams,
    query: queryOf(MOST_OF_GROUP),
    status: 200,
    response: GroupSearchResponse,
    errors: ['unknown_filter_field', 'search_unavailable'],
    pending: true,
  },
  'search-group-by-post': {
    method: 'post',
    paths: ['/public/groups/{groupId}/search'],
    summary: 'The same for queries that a URL cannot hold; never cached',
    access: ofGroup,
    params: GroupParams,
    body: GroupSearchRequest,
    status: 200,
    response: GroupSearchResponse,
    errors: ['unknown_filter_field', 'search_unavailable'],
    pending: true,
  },
  'get-group-facets': {
    method: 'get',
    paths: ['/public/groups/{groupId}/facets'],
    summary: 'What can be filtered by in a group, with counts',
    access: ofGroup,
    params: GroupParams,
    query: FacetsQuery,
    status: 200,
    response: Facets,
    errors: ['unknown_filter_field', 'search_unavailable'],
    pending: true,
  },
  'suggest-in-group': {
    method: 'get',
    paths: ['/public/groups/{groupId}/suggest'],
    summary: 'Completions of what is being typed, from all sites of a group',
    access: ofGroup,
    params: GroupParams,
    query: z.object({ q: QueryText }),
    status: 200,
    response: Suggestions,
    errors: ['search_unavailable'],
    pending: true,
  },
} as const satisfies Record<string, Route>;
