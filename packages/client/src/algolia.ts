import { type AlgoliaFilters, filtersOf } from './algolia-filters.ts';
import {
  type Client,
  type ClientOptions,
  createClient,
  type FacetsResponse,
  type Filters,
  type GroupSearchResponse,
  type SearchOptions,
  type SearchResponse,
} from './client.ts';
import type { Marks } from './marked-text.ts';
import { SearchError } from './search-error.ts';

/** What the adapters for Algolia's clients share: their requests and answers, in the terms of this service. */

export type AdapterOptions = ClientOptions & {
  /** Added to the filters of every request. */
  readonly filters?: Filters;
  readonly minScore?: number;
};
export type Params = AlgoliaFilters & {
  readonly query?: string;
  readonly page?: number;
  readonly hitsPerPage?: number;
  readonly facets?: string | readonly string[];
  readonly highlightPreTag?: string;
  readonly highlightPostTag?: string;
};
/** Older versions have the parameters in `params`, newer ones beside the name of the index. */
export type AlgoliaRequest = Params & { readonly indexName?: string; readonly params?: Params | string };
/** Numbers from 0 for `page`, and `nbHits` of all pages. */
export type AlgoliaAnswer<Hit> = {
  hits: Hit[];
  nbHits: number;
  page: number;
  nbPages: number;
  hitsPerPage: number;
  index: string;
  query: string;
  params: string;
  exhaustiveNbHits: boolean;
  exhaustiveFacetsCount: boolean;
  processingTimeMS: number;
  facets: Record<string, Record<string, number>>;
  facets_stats: Record<string, { min: number; max: number }>;
};
export type Found = SearchResponse | GroupSearchResponse;
type Facet = FacetsResponse['facets'][number];
/** What a request restricts and counts, of the fields that the site has. */
type Fields = { readonly filters: Filters; readonly facets: readonly string[] };

/** Limits of the service. */
const MAX_LIST_LENGTH = { site: 100, group: 50 };
const LAST_OFFSET = 1000;
const DEFAULT_HITS_PER_PAGE = 20;

export const marksOf = ({
  highlightPreTag: before = '<mark>',
  highlightPostTag: after = '</mark>',
}: Params): Marks => ({
  before,
  after,
});

/** Answers requests of Algolia's clients: by a search, or by facets alone where no hit is asked for. */
export function algoliaAnswers({ filters: own = {}, minScore, ...options }: AdapterOptions) {
  // Both packages show the newest answer, and ask several indices at once.
  const client: Client<Found> = createClient({ ...options, parallel: true });
  const longest = options.group ? MAX_LIST_LENGTH.group : MAX_LIST_LENGTH.site;

  /** A field that the site does not have is left out: Docusaurus filters by `docusaurus_tag`, whatever the index. */
  async function withKnown<Answer>(
    { filters, facets }: Fields,
    call: (fields: Fields) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      return await call({ filters: { ...filters, ...own }, facets });
    } catch (error) {
      if (!(error instanceof SearchError) || error.code !== 'unknown_filter_field') throw error;
      const known = new Set((await client.facets()).facets.map(({ name }) => name));
      const rest = Object.fromEntries(Object.entries(filters).filter(([name]) => known.has(name)));
      return call({ filters: { ...rest, ...own }, facets: facets.filter((name) => known.has(name)) });
    }
  }

  const facetsOf = async (query: string, filters: Filters): Promise<readonly Facet[]> =>
    (await client.facets({ ...(query && { q: query }), filters })).facets;

  /** Of an empty query, no page is a hit: the facets are those of all pages. */
  async function found(query: string, { filters, facets }: Fields, list: SearchOptions): Promise<Found> {
    const isSearch = query !== '' && list.limit !== 0;
    const isApart = !isSearch || facets.includes('*');
    const [answer, apart] = await Promise.all([
      isSearch &&
        client.search(query, { ...list, filters, ...(!isApart && facets.length > 0 && { facets: [...facets] }) }),
      isApart && facets.length > 0 && facetsOf(query, filters),
    ]);
    return { ...(answer || nothing(query)), ...(apart && { facets: [...apart] }) };
  }

  return {
    async answer<Hit>(
      request: AlgoliaRequest,
      more: SearchOptions,
      hitsOf: (found: Found, marks: Marks) => Hit[],
    ): Promise<AlgoliaAnswer<Hit>> {
      const params: Params = { ...request, ...(typeof request.params === 'object' && request.params) };
      const { page = 0, hitsPerPage = DEFAULT_HITS_PER_PAGE } = params;
      const limit = Math.min(hitsPerPage, longest);
      const offset = Math.min(page * limit, LAST_OFFSET);
      const fields = { filters: filtersOf(params), facets: [params.facets ?? []].flat() };
      const list = { ...more, limit, ...(offset > 0 && { offset }), ...(minScore !== undefined && { minScore }) };
      const answer = await withKnown(fields, (known) => found((params.query ?? '').trim(), known, list));
      const facets = answer.facets ?? [];
      return {
        hits: hitsOf(answer, marksOf(params)),
        nbHits: answer.totalResults,
        page,
        nbPages: pagesOf(answer, page, limit),
        hitsPerPage: limit,
        index: request.indexName ?? '',
        query: params.query ?? '',
        params: '',
        exhaustiveNbHits: answer.totalIsLowerBound !== true,
        exhaustiveFacetsCount: true,
        processingTimeMS: answer.timingMs,
        facets: Object.fromEntries(facets.map((facet) => [facet.name, countsOf(facet)])),
        facets_stats: Object.fromEntries(facets.flatMap(rangeOf)),
      };
    },
    /** The values of one facet. */
    async facetValues(
      params: Params,
      name: string,
    ): Promise<readonly { readonly value: string; readonly count: number }[]> {
      const fields = { filters: filtersOf(params), facets: [name] };
      const all = await withKnown(fields, ({ filters }) => facetsOf((params.query ?? '').trim(), filters));
      const facet = all.find((each) => each.name === name);
      return facet?.type === 'string' ? facet.values : [];
    },
  };
}

const nothing = (query: string): SearchResponse => ({ query, results: [], totalResults: 0, timingMs: 0 });

/** Where more pages match than are counted, there is a page after a full one. */
function pagesOf({ totalResults, totalIsLowerBound, results }: Found, page: number, limit: number): number {
  if (limit === 0) return 0;
  const next = totalIsLowerBound && results.length === limit ? page + 2 : 0;
  return Math.min(Math.max(Math.ceil(totalResults / limit), next), Math.floor(LAST_OFFSET / limit) + 1);
}

const countsOf = (facet: Facet): Record<string, number> =>
  facet.type === 'string' ? Object.fromEntries(facet.values.map(({ value, count }) => [value, count])) : {};

const rangeOf = (facet: Facet): [string, { min: number; max: number }][] =>
  facet.type === 'number' ? [[facet.name, { min: facet.min, max: facet.max }]] : [];
