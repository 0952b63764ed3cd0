import { headed } from '../pages/index-entry.ts';
import type { Filters } from '../search/page-filters.ts';
import type { SearchDeps } from '../search/search-pages.ts';
import { type FoundPassage, searchPassages } from '../search/search-passages.ts';
import type { ChatScope } from './chat-scope.ts';

/** A passage that an answer may cite. An answer cites it as `[1]`, counted in the order of the sources. */
export type Source = {
  readonly url: string;
  readonly title: string;
  /** 0 to 1. */
  readonly relevance: number;
  readonly language: string;
  readonly text: string;
  /** With title and headings, as it was indexed. */
  readonly headed: string;
  /** Names the passage and the version of its page. */
  readonly version: string;
};

export type SourcesQuery = {
  readonly query: string;
  readonly filters?: Filters | undefined;
  /** The page that the visitor reads: preferred, and enough alone if it is only a weak match. */
  readonly contextUrl?: string | undefined;
};

/** Below it a question is refused (docs/decisions/042-chat.md). */
export const LEAST_RELEVANCE = 0.35;
/** Of the best source: weaker ones distract from it. */
const LEAST_SHARE = 0.5;
const MOST_SOURCES = 6;
const CONTEXT_LEAST_RELEVANCE = 0.1;
const CONTEXT_BOOST = 1.3;
const MOST_SUGGESTIONS = 3;

/** The passages that answer a query, best first; none if the site does not answer it. */
export async function findSources(
  scope: ChatScope,
  { query, filters, contextUrl }: SourcesQuery,
  deps: SearchDeps,
): Promise<{ readonly sources: readonly Source[]; readonly degraded: boolean }> {
  const request = { query, limit: MOST_SOURCES, minScore: LEAST_RELEVANCE };
  const [{ passages, degraded }, context] = await Promise.all([
    searchPassages(scope.searched(filters), request, deps),
    contextUrl === undefined ? undefined : contextPassage(scope, { query, filters, contextUrl }, deps),
  ]);
  const others = passages.filter((passage) => !context || !isSamePage(passage, context));
  const best = Math.max(context?.score ?? 0, others[0]?.score ?? 0);
  const ranked = [...(context ? [context] : []), ...others]
    .sort((a, b) => b.score - a.score)
    .filter(({ score }) => score >= LEAST_SHARE * best);
  return { sources: ranked.slice(0, MOST_SOURCES).map(asSource), degraded };
}

/** Titles of pages that match weakly: what a visitor could ask instead. */
export async function weakTitles(
  scope: ChatScope,
  { query, filters }: SourcesQuery,
  deps: SearchDeps,
): Promise<readonly string[]> {
  const request = { query, limit: MOST_SUGGESTIONS, minScore: 0 };
  const { passages } = await searchPassages(scope.searched(filters), request, deps);
  return [...new Set(passages.map(({ title }) => title).filter((title) => title !== ''))];
}

async function contextPassage(
  scope: ChatScope,
  { query, filters, contextUrl = '' }: SourcesQuery,
  deps: SearchDeps,
): Promise<FoundPassage | undefined> {
  const page = withoutFragment(contextUrl);
  const ofPage = scope.searched({ ...filters, url: filters?.url ?? { prefix: page } });
  const request = { query, limit: MOST_SOURCES, minScore: CONTEXT_LEAST_RELEVANCE };
  const { passages } = await searchPassages(ofPage, request, deps);
  const found = passages.find(({ url }) => withoutFragment(url) === page);
  return found && { ...found, score: Math.min(1, found.score * CONTEXT_BOOST) };
}

const withoutFragment = (url: string): string => url.split('#', 1)[0] ?? url;

const isSamePage = (a: FoundPassage, b: FoundPassage): boolean => a.siteId === b.siteId && a.urlHash === b.urlHash;

function asSource(passage: FoundPassage): Source {
  const { siteId, urlHash, revision, ord, url, title, language = '', text, score } = passage;
  return {
    ...{ url, title, language, text, relevance: score },
    headed: headed(title, passage),
    version: `${siteId} ${urlHash} ${revision} ${ord}`,
  };
}
