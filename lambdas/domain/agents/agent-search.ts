import { visibleText } from '../../text/visible-text.ts';
import { closestPages } from '../search/closest-pages.ts';
import { FIRST_RESULTS, type Hit } from '../search/find-pages.ts';
import { type Matches, matchPages, shownOf } from '../search/match-pages.ts';
import type { Filters } from '../search/page-filters.ts';
import { sectionAt } from '../search/results/passage-section.ts';
import { shownUrl } from '../search/results/shown-url.ts';
import { snippetCutter } from '../search/results/snippet.ts';
import type { SearchDeps } from '../search/search-pages.ts';
import { DEFAULT_MIN_SCORE } from '../search/search-request.ts';
import type { AgentScope } from './agent-scope.ts';
import { cutText } from './cut-text.ts';
import { answerTokens } from './token-budget.ts';

export type AgentQuery = {
  readonly query: string;
  readonly limit: number;
  readonly offset: number;
  readonly filters?: Filters | undefined;
};

/** A passage of a page. `id` is what `fetch` takes; `url` leads to the section of the passage. */
export type AgentResult = {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  /** The headings above the passage, outermost first. */
  readonly heading?: string;
  readonly text: string;
  readonly score: number;
  readonly publishedAt?: string;
  readonly crawledAt: string;
  readonly site?: string;
};

export type AgentFound = {
  readonly query: string;
  readonly results: readonly AgentResult[];
  readonly totalResults: number;
  readonly closest?: readonly AgentResult[];
  /** What an agent should know of these results, in sentences. */
  readonly note: string;
};

/** The most tokens of an answer, with both of its forms. */
export const SEARCH_TOKENS = 4000;
/** Tokens of an answer that are kept free for its note and the frame of the protocol. */
const ROOM = 400;
const [LONGEST_TEXT, SHORTEST_TEXT, CLOSEST_TEXT] = [1500, 160, 200];

/**
 * Returns the best passage of each page that matches, best first, as far as `SEARCH_TOKENS` allows: first the passages
 * are cut, then the last ones left out. Says in words if nothing matches, what was corrected, and how to get more.
 */
export async function searchForAgents(
  scope: AgentScope,
  { query, limit, offset, filters }: AgentQuery,
  deps: SearchDeps,
): Promise<AgentFound & { readonly matches: number }> {
  const sites = await scope.searched(filters, deps);
  const request = { query, limit, offset, minScore: DEFAULT_MIN_SCORE, autocomplete: false };
  const found = await matchPages(sites, request, deps);
  const matches = found.pages.length + found.others;
  const near = matches === 0 ? await closestPages(sites, request, deps) : undefined;
  const shown = await passagesOf(found.pages.slice(offset, offset + limit), found, scope, deps);
  const closest = near && (await passagesOf(near.pages, near, scope, deps));
  const results = fitted(shown, LONGEST_TEXT);
  const suggested = closest && fitted(closest, CLOSEST_TEXT);
  const totalResults = shownOf(request) > FIRST_RESULTS ? matches : Math.min(matches, FIRST_RESULTS);
  return {
    query,
    results,
    totalResults,
    ...(suggested && suggested.length > 0 && { closest: suggested }),
    note: noteOf(
      { query, filters },
      { scope, found, shown: results.length, matches, offset, closest: suggested ?? [] },
    ),
    matches,
  };
}

type Whole = AgentResult & { readonly around: (length: number) => string };

async function passagesOf(
  hits: readonly Hit[],
  { terms }: Pick<Matches, 'terms'>,
  { sites }: AgentScope,
  { index }: SearchDeps,
): Promise<readonly Whole[]> {
  const passages = await index.passages(hits.map(({ ref, chunk }) => ({ ...ref, ord: chunk })));
  const snippetOf = snippetCutter(terms);
  return hits.flatMap(({ score, site }, i) => {
    const passage = passages[i];
    if (!passage) return [];
    const { text, line } = snippetOf(passage.text, passage.language ?? '');
    const section = sectionAt(passage, line);
    const id = shownUrl(passage.url, site);
    const headings = [...passage.headings, ...(section ? [section.heading] : [])].map(visibleText);
    const heading = [...new Set(headings)].join(' > ');
    return {
      id,
      title: cutTo(MAX_TITLE, visibleText(passage.title)),
      url: section ? `${id}#${encodeURIComponent(section.anchor)}` : id,
      ...(heading !== '' && { heading: cutTo(MAX_HEADING, heading) }),
      text: '',
      score: Math.round(Math.min(1, score) * 100) / 100,
      ...(passage.publishedAt !== undefined && { publishedAt: passage.publishedAt }),
      crawledAt: passage.crawledAt,
      ...(sites.length > 1 && { site: site.settings.name }),
      around: (length) => cutText(visibleText(passage.text), visibleText(text), length),
    };
  });
}

const [MAX_TITLE, MAX_HEADING] = [300, 200];
const cutTo = (length: number, text: string): string => text.slice(0, length).toWellFormed();

const withText = ({ around, ...result }: Whole, length: number): AgentResult => ({ ...result, text: around(length) });

/** Returns the results with texts as long as the answer has room for, without the last ones if it still has not. */
function fitted(all: readonly Whole[], longest: number): readonly AgentResult[] {
  for (let length = longest; length >= SHORTEST_TEXT; length *= 0.8) {
    const results = all.map((result) => withText(result, Math.floor(length)));
    if (answerTokens(results) <= SEARCH_TOKENS - ROOM) return results;
  }
  const short = all.map((result) => withText(result, SHORTEST_TEXT));
  while (short.length > 1 && answerTokens(short) > SEARCH_TOKENS - ROOM) short.pop();
  return short;
}

type Outcome = {
  readonly scope: AgentScope;
  readonly found: Matches;
  readonly shown: number;
  readonly matches: number;
  readonly offset: number;
  readonly closest: readonly unknown[];
};

function noteOf(
  { query, filters }: Pick<AgentQuery, 'query' | 'filters'>,
  { scope, found, shown, matches, offset, closest }: Outcome,
): string {
  const asked = query.length <= MAX_QUOTED ? `"${query}"` : 'this query';
  const filtered = filters && Object.keys(filters).length > 0 ? ' with these filters' : '';
  const corrected = found.corrections.map(({ from, to }) => `"${from}" was searched as "${to}".`);
  const rest = matches - offset - shown;
  return [
    ...(matches === 0 ? [`Nothing in ${scope.name} is about ${asked}${filtered}.`] : []),
    ...(matches === 0 && closest.length > 0
      ? ['`closest` has pages that share words with it; they may not help.']
      : []),
    ...(matches > 0 && shown === 0 ? [`There are no results from offset ${offset} on: there are ${matches}.`] : []),
    ...corrected.slice(0, MAX_CORRECTIONS),
    ...(found.phraseDropped ? ['No page has the quoted phrase, so its words were searched without the quotes.'] : []),
    ...(shown > 0 ? ['To read a page, call fetch with its id.'] : []),
    ...(shown > 0 && rest > 0 ? [`For more results, call search with offset ${offset + shown}.`] : []),
  ].join(' ');
}

const [MAX_QUOTED, MAX_CORRECTIONS] = [200, 5];
