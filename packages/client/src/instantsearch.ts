import {
  type AdapterOptions,
  type AlgoliaAnswer,
  type AlgoliaRequest,
  algoliaAnswers,
  type Found,
  marksOf,
  type Params,
} from './algolia.ts';
import { type Marked, type Marks, marked, matchesOf } from './marked-text.ts';

type Texts = Readonly<Record<'title' | 'snippet', Marked>>;
/** With the metadata of the page, for example `hit.publishedAt`. */
export type InstantSearchHit = Found['results'][number]['metadata'] & {
  readonly objectID: string;
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
  readonly score: number;
  readonly section: { readonly heading: string; readonly anchor: string } | null;
  readonly siteName?: string;
  readonly _highlightResult: Texts;
  readonly _snippetResult: Texts;
};
type FacetParams = Params & {
  readonly facetName: string;
  readonly facetQuery?: string;
  readonly maxFacetHits?: number;
};
type FacetRequest = { readonly indexName?: string; readonly params: FacetParams };
/** Clients of Algolia since version 5 have one request of this form. */
type SingleFacetRequest = {
  readonly facetName: string;
  readonly searchForFacetValuesRequest?: Omit<FacetParams, 'facetName'>;
};
export type FacetValues = {
  facetHits: { value: string; highlighted: string; count: number }[];
  exhaustiveFacetsCount: boolean;
  processingTimeMS: number;
};

const MAX_FACET_HITS = 10;

/** The search client of InstantSearch, over this service: `searchClient: instantsearchClient({ api, site })`. */
export function instantsearchClient(options: AdapterOptions) {
  const { answer, facetValues } = algoliaAnswers(options);

  async function matchingValues({ facetName, facetQuery = '', ...params }: FacetParams): Promise<FacetValues> {
    const marks = marksOf(params);
    const isMatching = ({ value }: { readonly value: string }) =>
      value.toLowerCase().includes(facetQuery.toLowerCase());
    const values = (await facetValues(params, facetName)).filter(isMatching);
    const facetHits = values.slice(0, params.maxFacetHits ?? MAX_FACET_HITS).map(({ value, count }) => {
      return { value, highlighted: marked(value, matchesOf(facetQuery, value), marks).value, count };
    });
    return { facetHits, exhaustiveFacetsCount: true, processingTimeMS: 0 };
  }

  /** For the field in which a visitor searches the values of a facet. */
  function searchForFacetValues(requests: readonly FacetRequest[]): Promise<FacetValues[]>;
  function searchForFacetValues(request: SingleFacetRequest): Promise<FacetValues>;
  function searchForFacetValues(
    given: readonly FacetRequest[] | SingleFacetRequest,
  ): Promise<FacetValues[] | FacetValues> {
    if ('facetName' in given)
      return matchingValues({ ...given.searchForFacetValuesRequest, facetName: given.facetName });
    return Promise.all(given.map(({ params }) => matchingValues(params)));
  }

  return {
    addAlgoliaAgent: () => undefined,
    clearCache: () => Promise.resolve(),
    searchForFacetValues,
    /** InstantSearch names a type of hits of its own. */
    async search<Hit = InstantSearchHit>(
      requests: readonly AlgoliaRequest[],
    ): Promise<{ results: AlgoliaAnswer<Hit & InstantSearchHit>[] }> {
      const hitsOf = (found: Found, marks: Marks) => instantSearchHits(found, marks) as (Hit & InstantSearchHit)[];
      return { results: await Promise.all(requests.map((each) => answer(each, {}, hitsOf))) };
    },
  };
}

const instantSearchHits = ({ query, results }: Found, marks: Marks): InstantSearchHit[] =>
  results.map(({ url, title, snippet, highlights, score, section, metadata, ...result }) => {
    const texts = { title: marked(title, matchesOf(query, title), marks), snippet: marked(snippet, highlights, marks) };
    return {
      ...metadata,
      objectID: url,
      url,
      title,
      snippet,
      score,
      section: section ?? null,
      ...('siteName' in result && { siteName: result.siteName }),
      _highlightResult: texts,
      _snippetResult: texts,
    };
  });
