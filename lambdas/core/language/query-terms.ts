import { isQuestionWord } from './question-words.ts';
import { primaryLanguage } from './stemmer.ts';
import { terms } from './terms.ts';

/** One thing that a query asks for. */
export type QueryTerm = {
  /** The folded word, as it is typed. */
  readonly term: string;
  /** Its terms in the languages of the site: a chunk that has one of them has the word. */
  readonly forms: readonly string[];
  /** A word such as "how" or "the": it counts neither for nor against a page. */
  readonly question: boolean;
  /** Its place in the query; an identifier and its parts share one. */
  readonly position: number;
  /** For a part of an identifier: where the whole stands in the list. */
  readonly wholeAt?: number;
};

export const MOST_QUERY_TERMS = 32;

/**
 * The distinct terms of a query in their order, at most 32: of a longer query question words go first, then the shortest.
 * `languages` are those of the site's pages, as tags, '' for pages without one. Question words (English ones if no language is
 * known) are marked, unless there are no others.
 */
export function queryTerms(query: string, languages: readonly string[]): readonly QueryTerm[] {
  const spoken = [...new Set(languages.map(primaryLanguage))].sort();
  const typed = terms(query, '');
  const stemmed = spoken.map((language) => terms(query, language));
  const asked = spoken.some((language) => language !== '') ? spoken : ['en'];
  const found = new Map<string, QueryTerm & { readonly whole?: string }>();
  let whole = '';
  typed.forEach(({ term, position }, at) => {
    const forms = [...new Set(stemmed.map((list) => list[at]?.term ?? term))];
    if (forms.length === 0) forms.push(term);
    const key = forms.join(' ');
    const isPart = at > 0 && typed[at - 1]?.position === position;
    if (!isPart) whole = key;
    if (found.has(key)) return;
    const question = isQuestionWord(term, asked);
    found.set(key, { term, forms, question, position, ...(isPart && { whole }) });
  });
  return withWholes(kept(unmarkedIfAlone([...found])));
}

/** What a title has to compare with a query: how many distinct words, the parts of an identifier for the whole, no question words. */
export function titleLength(title: string, language: string): number {
  const named = queryTerms(title, [language]);
  const wholes = placesOfWholes(named);
  return named.filter(({ question }, place) => !question && !wholes.has(place)).length;
}

/** Where the identifiers stand that have parts. */
export function placesOfWholes(terms: readonly QueryTerm[]): ReadonlySet<number> {
  return new Set(terms.flatMap(({ wholeAt }) => wholeAt ?? []));
}

type Entry = readonly [key: string, term: QueryTerm & { readonly whole?: string }];

function unmarkedIfAlone(entries: readonly Entry[]): readonly Entry[] {
  if (entries.some(([, term]) => !term.question)) return entries;
  return entries.map(([key, term]) => [key, { ...term, question: false }]);
}

function kept(entries: readonly Entry[]): readonly Entry[] {
  if (entries.length <= MOST_QUERY_TERMS) return entries;
  const worth = ([, { question, term }]: Entry) => (question ? 0 : term.length);
  const best = entries.toSorted((a, b) => worth(b) - worth(a)).slice(0, MOST_QUERY_TERMS);
  return entries.filter((entry) => best.includes(entry));
}

function withWholes(entries: readonly Entry[]): readonly QueryTerm[] {
  return entries.map(([, { whole, ...term }]) => {
    const wholeAt = whole === undefined ? -1 : entries.findIndex(([key]) => key === whole);
    return wholeAt < 0 ? term : { ...term, wholeAt };
  });
}
