import { queryTerms } from '../../text/words/query-terms.ts';
import { questionLanguage } from '../../text/words/question-language.ts';
import { isQuestionWord } from '../../text/words/question-words.ts';
import { headed } from '../pages/index-entry.ts';
import type { Filters } from '../search/page-filters.ts';
import type { SearchDeps } from '../search/search-pages.ts';
import { type FoundPassage, firstPassage, type PagePart, searchPassages } from '../search/search-passages.ts';
import { DEFAULT_MIN_SCORE } from '../search/search-request.ts';
import { languagesOf } from '../search/searched-site.ts';
import type { ChatScope } from './chat-scope.ts';
import { questionCoverage } from './question-coverage.ts';
import { questionKind } from './question-kind.ts';

/** A passage that an answer may cite by its number in the list of sources, such as `[1]`. */
export type Source = {
  readonly url: string;
  readonly title: string;
  /** 0 to 1. */
  readonly relevance: number;
  readonly language: string;
  readonly text: string;
  /** The text with title and headings, as it was indexed. */
  readonly headed: string;
  /** Identifies the passage and the revision of its page. */
  readonly version: string;
  /** The text and further parts of the page, in reading order. */
  readonly parts: readonly PagePart[];
};

export type SourcesQuery = {
  readonly query: string;
  /** The last question alone, if the query merges it with earlier ones. Pages that it does not find score lower. */
  readonly own?: string | undefined;
  readonly filters?: Filters | undefined;
  /** The page that the visitor reads. It is preferred, and it answers questions such as "What is this?". */
  readonly contextUrl?: string | undefined;
};

/** Least score of a page that can answer, the same as in searches (docs/decisions/025-answers.md). */
const MIN_RELEVANCE = DEFAULT_MIN_SCORE;
/** If the best page scores less, the coverage of the question by one sentence must make up the difference. */
const SURE_RELEVANCE = 0.316;
/** Added to the score if one sentence has all words of the question; a share of it for a share of the words. */
const SENTENCE_WEIGHT = 0.2;
/** Least score of a source, as a share of the best source's. Weaker sources distract. */
const MIN_SHARE = 0.5;
const MAX_SOURCES = 6;
/** Most parts of a page, besides its best one, from which sentences are chosen. */
const FURTHER_PARTS = 3;
const CONTEXT_MIN_RELEVANCE = 0.09;
const CONTEXT_BOOST = 1.3;
/**
 * Most content words of a question that refers to the page the visitor reads. "What is this?" has none, "What is this
 * page about?" has one.
 */
const FEW_WORDS = 1;
/** Factor of a page that only the previous question's words find. */
const OTHERS_WORDS = 0.6;
const MAX_SUGGESTIONS = 3;

export type Found = {
  readonly sources: readonly Source[];
  readonly degraded: boolean;
  /** The question refers to the visitor's page or to an earlier question, so its words alone do not decide. */
  readonly refers: boolean;
};

/** Returns the passages that answer a query, best first; none if the site does not answer it. */
export async function findSources(scope: ChatScope, query: SourcesQuery, deps: SearchDeps): Promise<Found> {
  const [{ passages, degraded }, context, own] = await Promise.all([
    search(query.query, MIN_RELEVANCE, scope, { ...query, further: FURTHER_PARTS }, deps),
    contextPassage(scope, query, deps),
    query.own === undefined ? undefined : search(query.own, MIN_RELEVANCE, scope, query, deps),
  ]);
  if (!context && query.own === undefined && !bears(query.query, passages))
    return { sources: [], degraded, refers: false };
  const hasOwn = (passage: FoundPassage) =>
    !own?.passages.length || own.passages.some((other) => isSamePage(other, passage));
  const others = passages
    .filter((passage) => !context || !isSamePage(passage, context))
    .map((passage) => (hasOwn(passage) ? passage : scaled(passage, OTHERS_WORDS)));
  const found = [...(context ? [context] : []), ...others].sort((a, b) => b.score - a.score);
  const least = MIN_SHARE * (found[0]?.score ?? 0);
  return {
    sources: found
      .filter(({ score }) => score >= least)
      .slice(0, MAX_SOURCES)
      .map(asSource),
    degraded,
    refers: query.own !== undefined || (context !== undefined && ownWords(query.query, scope) <= FEW_WORDS),
  };
}

/** Tells whether the best pages are about the question, and do not merely contain its words. */
function bears(question: string, passages: readonly FoundPassage[]): boolean {
  const score = passages[0]?.score ?? 0;
  return score >= SURE_RELEVANCE || score + SENTENCE_WEIGHT * questionCoverage(question, passages) >= SURE_RELEVANCE;
}

/** Query syntax. It is removed, because in a question quotes and dashes neither require nor exclude words. */
const SYNTAX = /["\uff02\u201c-\u201f\u00ab\u00bb\u300c-\u300f]|(?<!\S)-(?=\S)/g;

async function search(
  query: string,
  minScore: number,
  scope: ChatScope,
  { filters, further = 0 }: Pick<SourcesQuery, 'filters'> & { readonly further?: number },
  deps: SearchDeps,
) {
  const language = questionLanguage(query, languagesOf(scope.sites));
  const opening = further > 0 && questionKind(query, language).defines;
  const request = { query: query.replace(SYNTAX, ' '), limit: MAX_SOURCES, minScore, further, opening };
  return searchPassages(await scope.searched(filters, deps), request, deps);
}

/** Returns titles of pages that match weakly, as suggestions for other questions. */
export async function weakTitles(
  scope: ChatScope,
  { query, filters }: SourcesQuery,
  deps: SearchDeps,
): Promise<readonly string[]> {
  const { passages } = await search(query, 0, scope, { filters }, deps);
  const titles = passages.map(({ title }) => title).filter((title) => title !== '');
  return [...new Set(titles)].slice(0, MAX_SUGGESTIONS);
}

async function contextPassage(
  scope: ChatScope,
  query: SourcesQuery,
  deps: SearchDeps,
): Promise<FoundPassage | undefined> {
  if (query.contextUrl === undefined) return undefined;
  const page = withoutFragment(query.contextUrl);
  if (!query.filters && ownWords(query.query, scope) <= FEW_WORDS) {
    const first = await firstPassage(await scope.searched(undefined, deps), page, deps);
    return first && withScores(first, () => MIN_RELEVANCE);
  }
  const filters = { ...query.filters, url: query.filters?.url ?? { prefix: page } };
  const { passages } = await search(
    query.query,
    CONTEXT_MIN_RELEVANCE,
    scope,
    { filters, further: FURTHER_PARTS },
    deps,
  );
  const found = passages.find(({ url }) => withoutFragment(url) === page);
  return found && scaled(found, CONTEXT_BOOST);
}

function ownWords(question: string, scope: ChatScope): number {
  const languages = [questionLanguage(question, languagesOf(scope.sites))];
  return queryTerms(question, languages).filter(({ term }) => !isQuestionWord(term, languages)).length;
}

const scaled = (passage: FoundPassage, factor: number): FoundPassage =>
  withScores(passage, (score) => Math.min(1, score * factor));

const withScores = (passage: FoundPassage, of: (score: number) => number): FoundPassage => ({
  ...passage,
  score: of(passage.score),
  parts: passage.parts.map((part) => ({ ...part, score: of(part.score) })),
});

const withoutFragment = (url: string): string => url.split('#', 1)[0] ?? url;

const isSamePage = (a: FoundPassage, b: FoundPassage): boolean => a.siteId === b.siteId && a.urlHash === b.urlHash;

function asSource(passage: FoundPassage): Source {
  const { siteId, urlHash, revision, ord, url, title, language = '', text, score, parts } = passage;
  return {
    url,
    title,
    language,
    text,
    relevance: score,
    parts,
    headed: headed(title, passage),
    version: `${siteId} ${urlHash} ${revision} ${ord}`,
  };
}
