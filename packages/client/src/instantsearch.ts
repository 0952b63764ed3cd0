import {
  type AdapterOptions,
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

const MAX_FACET_HITS = 10;

/** The search client of InstantSearch, over this service: `searchClient: instantsearchClient({ api, site })`. */
export function instantsearchClient(options: AdapterOptions) {
  const answers = algoliaAnswers(options);
  return {
    addAlgoliaAgent: () => undefined,
    clearCache: () => Promise.resolve(),
    async search(requests: readonly AlgoliaRequest[]) {
      return { results: await Promise.all(requests.map((each) => answers.answer(each, {}, hitsOf))) };
    },
    /** For the field in which a visitor searches the values of a facet. */
    searchForFacetValues: (requests: readonly FacetRequest[]) =>
      Promise.all(
        requests.map(async ({ params }) => {
          const { facetName, facetQuery = '', maxFacetHits = MAX_FACET_HITS } = params;
          const values = await answers.facetValues(params, facetName);
          const matching = values.filter(({ value }) => value.toLowerCase().includes(facetQuery.toLowerCase()));
          const highlighted = (value: string) => marked(value, matchesOf(facetQuery, value), marksOf(params)).value;
          return {
            facetHits: matching
              .slice(0, maxFacetHits)
              .map((each) => ({ ...each, highlighted: highlighted(each.value) })),
            exhaustiveFacetsCount: true,
            processingTimeMS: 0,
          };
        }),
      ),
  };
}

const hitsOf = ({ query, results }: Found, marks: Marks): InstantSearchHit[] =>
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
