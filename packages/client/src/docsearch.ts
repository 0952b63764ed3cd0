import { type AdapterOptions, type AlgoliaAnswer, type AlgoliaRequest, algoliaAnswers, type Found } from './algolia.ts';
import { escapeHtml, type Marked, type Marks, marked, matchesOf } from './marked-text.ts';

type Levels<Value> = Readonly<Record<`lvl${0 | 1 | 2 | 3 | 4 | 5 | 6}`, Value>>;
type Texts = { readonly hierarchy: Readonly<Record<string, Marked>>; readonly content: Marked };
export type DocSearchHit = {
  readonly objectID: string;
  readonly url: string;
  readonly url_without_anchor: string;
  readonly anchor: string | null;
  readonly type: 'content';
  readonly content: string;
  readonly hierarchy: Levels<string | null>;
  readonly _highlightResult: Texts;
  readonly _snippetResult: Texts;
};
type Requests = readonly AlgoliaRequest[] | { readonly requests: readonly AlgoliaRequest[] };

type Agent = { value: string; add: () => Agent };
/** Nobody is told who asks. */
const algoliaAgent: Agent = { value: '', add: () => algoliaAgent };
/** Passages of a page beside the best one. DocSearch shows them below each other. */
const SECTIONS = 2;
/** Characters before the first match. */
const MAX_LEAD_LENGTH = 60;

/**
 * The search client of DocSearch, over this service: `transformSearchClient: docsearchClient({ api, site })`. It is a
 * function that returns itself, so it can be given as the transformation and as its result.
 */
export function docsearchClient(options: AdapterOptions) {
  const { answer } = algoliaAnswers(options);
  const client = {
    appId: '',
    addAlgoliaAgent: () => undefined,
    clearCache: () => Promise.resolve(),
    transporter: { algoliaAgent },
    /** DocSearch names a type of hits of its own. */
    async search<Hit = DocSearchHit>(given: Requests): Promise<{ results: AlgoliaAnswer<Hit & DocSearchHit>[] }> {
      const requests = 'requests' in given ? given.requests : given;
      try {
        const hitsOf = (found: Found, marks: Marks) => docSearchHits(found, marks) as (Hit & DocSearchHit)[];
        return { results: await Promise.all(requests.map((each) => answer(each, { sections: SECTIONS }, hitsOf))) };
      } catch (error) {
        throw retryError(error);
      }
    },
  };
  const itself = (): typeof client => Object.assign(itself, client);
  return Object.assign(itself, client);
}

/** DocSearch shows its screen for errors only for an error of this name. */
const retryError = (cause: unknown): Error =>
  Object.assign(new Error(cause instanceof Error ? cause.message : String(cause), { cause }), { name: 'RetryError' });

const docSearchHits = ({ query, results }: Found, marks: Marks): DocSearchHit[] =>
  results.flatMap((result) => passagesOf(result).map((passage, i) => hitOf(result, passage, i, query, marks)));

type Result = Found['results'][number];
type Passage = Pick<Result, 'snippet' | 'highlights'> & { readonly heading?: string; readonly anchor?: string };

const passagesOf = ({ snippet, highlights, section, sections = [] }: Result): readonly Passage[] =>
  [{ snippet, highlights, ...section }, ...sections].map(fromFirstMatch);

/** DocSearch shows one line, so the first match is near its beginning. */
function fromFirstMatch({ snippet, highlights, ...passage }: Passage): Passage {
  const first = highlights[0]?.[0] ?? 0;
  const start = first > MAX_LEAD_LENGTH ? snippet.lastIndexOf(' ', first - MAX_LEAD_LENGTH / 2) + 1 : 0;
  if (start === 0) return { snippet, highlights, ...passage };
  const moved = highlights.map(([from, to]): [number, number] => [from - start + 1, to - start + 1]);
  return { snippet: `…${snippet.slice(start)}`, highlights: moved, ...passage };
}

/**
 * DocSearch heads groups, of at most five hits, by the marked `lvl0`: that is the title here, so each page is a group.
 * The plain `lvl0` is the beginning of the path that it shows below a hit. It inserts texts as HTML, so all are
 * escaped.
 */
function hitOf(
  result: Result,
  { snippet, highlights, heading, anchor }: Passage,
  i: number,
  query: string,
  marks: Marks,
): DocSearchHit {
  const siteName = 'siteName' in result ? result.siteName : undefined;
  const markedLevel = (text: string) => marked(text, matchesOf(query, text), marks);
  const texts = {
    hierarchy: {
      lvl0: markedLevel(siteName === undefined ? result.title : `${result.title} (${siteName})`),
      lvl1: markedLevel(result.title),
      ...(heading !== undefined && { lvl2: markedLevel(heading) }),
    },
    content: marked(snippet, highlights, marks),
  };
  return {
    objectID: `${result.url}#${anchor ?? ''}-${i}`,
    url: anchor === undefined ? result.url : `${result.url}#${encodeURIComponent(anchor)}`,
    url_without_anchor: result.url,
    anchor: anchor ?? null,
    type: 'content',
    content: escapeHtml(snippet),
    hierarchy: {
      lvl0: escapeHtml(siteName ?? new URL(result.url).host),
      lvl1: escapeHtml(result.title),
      lvl2: heading === undefined ? null : escapeHtml(heading),
      lvl3: null,
      lvl4: null,
      lvl5: null,
      lvl6: null,
    },
    _highlightResult: texts,
    _snippetResult: texts,
  };
}
