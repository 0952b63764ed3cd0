import { isQuestionWord } from './question-words.ts';
import { primaryLanguage } from './stemmer.ts';
import { termsByPosition } from './terms.ts';

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
  const named = namedTerms(query, languages);
  const placeOf = new Map(named.map(({ key }, place) => [key, place]));
  return named.map(({ term, forms, question, position, whole }) => {
    const wholeAt = whole === undefined ? undefined : placeOf.get(whole);
    return { term, forms, question, position, ...(wholeAt !== undefined && { wholeAt }) };
  });
}

/** What a title has to compare with a query: how many distinct words, the parts of an identifier for the whole, no question words. */
export function titleLength(title: string, language: string): number {
  const named = namedTerms(title, [language]);
  const wholes = new Set<string | undefined>();
  for (const { whole } of named) wholes.add(whole);
  let length = 0;
  for (const { key, question } of named) if (!question && !wholes.has(key)) length++;
  return length;
}

/** Where the identifiers stand that have parts. */
export function indexesOfWholes(terms: readonly QueryTerm[]): ReadonlySet<number> {
  return new Set(terms.flatMap(({ wholeAt }) => wholeAt ?? []));
}

/** No two have the same key; a part of an identifier has that of the whole. */
type Named = Omit<QueryTerm, 'wholeAt'> & { readonly key: string; readonly whole: string | undefined };

function namedTerms(query: string, languages: readonly string[]): readonly Named[] {
  const spoken = [...new Set(languages.map(primaryLanguage))].sort();
  const stemmed = spoken.map((language) => termsByPosition(query, language).flat());
  const asked = spoken.some((language) => language !== '') ? spoken : ['en'];
  const found = new Map<string, Named>();
  let at = 0;
  for (const [position, beside] of termsByPosition(query, '').entries()) {
    let whole: string | undefined;
    for (const term of beside) {
      const forms = formsOf(term, stemmed, at++);
      const key = forms.length === 1 ? (forms[0] as string) : forms.join(' ');
      if (!found.has(key)) found.set(key, { key, term, forms, question: isQuestionWord(term, asked), position, whole });
      whole ??= key;
    }
  }
  return kept(unmarkedIfAlone([...found.values()]));
}

function formsOf(term: string, stemmed: readonly (readonly string[])[], at: number): readonly string[] {
  if (stemmed.length === 1) return [stemmed[0]?.[at] ?? term];
  return stemmed.length === 0 ? [term] : [...new Set(stemmed.map((list) => list[at] ?? term))];
}

function unmarkedIfAlone(named: readonly Named[]): readonly Named[] {
  if (named.some(({ question }) => !question)) return named;
  return named.map((term) => ({ ...term, question: false }));
}

function kept(named: readonly Named[]): readonly Named[] {
  if (named.length <= MOST_QUERY_TERMS) return named;
  const worth = ({ question, term }: Named) => (question ? 0 : term.length);
  const best = new Set(named.toSorted((a, b) => worth(b) - worth(a)).slice(0, MOST_QUERY_TERMS));
  return named.filter((term) => best.has(term));
}
