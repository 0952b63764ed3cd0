import { defined } from '../defined.ts';
import { isQuestionWord } from './question-words.ts';
import { primaryLanguage } from './stemmer.ts';
import { termsByPosition, wordsAndStems } from './terms.ts';
import { withoutNumber } from './title-number.ts';

export type QueryTerm = {
  /** The folded word. */
  readonly term: string;
  /** Its stems in the languages of the site. A chunk that contains one of them contains the word. */
  readonly forms: readonly string[];
  /** A question or function word, such as "how" or "the", which counts neither for nor against a page. */
  readonly question: boolean;
  /** Position in the query; an identifier and its parts share one. */
  readonly position: number;
  /** The index of the whole identifier among the query's terms, if the term is a part of one. */
  readonly wholeAt?: number;
};

export const MAX_QUERY_TERMS = 32;

/**
 * Returns the distinct terms of a query in order, at most 32: a longer query loses question words, then its shortest
 * words. `languages` are the tags of the site's pages, '' for pages without one. Question words are marked unless the
 * query has no other words.
 */
export function queryTerms(query: string, languages: readonly string[]): readonly QueryTerm[] {
  const named = namedTerms(query, languages);
  const indexOf = new Map(named.map(({ key }, i) => [key, i]));
  return named.map(({ term, forms, question, position, whole }) => {
    const wholeAt = whole === undefined ? undefined : indexOf.get(whole);
    return { term, forms, question, position, ...defined({ wholeAt }) };
  });
}

/**
 * Returns the number of distinct words of a title, without its number and question words. An identifier counts as its
 * parts.
 */
export function titleLength(title: string, language: string): number {
  const words = new TitleWords(primaryLanguage(language));
  for (const piece of wordsAndStems(withoutNumber(title), language)) words.add(piece);
  return words.isLong ? lengthOfLong(title, language) : words.length;
}

/** Reads the same from a title as `namedTerms`, without an object for each word. */
class TitleWords {
  readonly #asked: readonly string[];
  /** Maps a stem to whether its word is a question word. */
  readonly #isQuestion = new Map<string, boolean>();
  readonly #wholes = new Set<string>();

  constructor(language: string) {
    this.#asked = [language || 'en'];
  }

  add({ words, stems }: ReturnType<typeof wordsAndStems>[number]): void {
    for (const [position, samePosition] of stems.entries())
      for (const [i, stem] of samePosition.entries()) {
        if (this.#isQuestion.has(stem)) continue;
        this.#isQuestion.set(stem, isQuestionWord(words[position]?.[i] ?? stem, this.#asked));
        if (i > 0) this.#wholes.add(samePosition[0] as string);
      }
  }

  get isLong(): boolean {
    return this.#isQuestion.size > MAX_QUERY_TERMS;
  }

  get length(): number {
    const areAllQuestions = ![...this.#isQuestion.values()].includes(false);
    let length = 0;
    for (const [stem, question] of this.#isQuestion)
      if ((!question || areAllQuestions) && !this.#wholes.has(stem)) length++;
    return length;
  }
}

function lengthOfLong(title: string, language: string): number {
  const named = namedTerms(withoutNumber(title), [language]);
  const wholes = new Set(named.map(({ whole }) => whole));
  return named.filter(({ key, question }) => !question && !wholes.has(key)).length;
}

/** `key` is unique; `whole` is the key of the identifier that the term is a part of. */
type Named = Omit<QueryTerm, 'wholeAt'> & { readonly key: string; readonly whole: string | undefined };

function namedTerms(query: string, languages: readonly string[]): readonly Named[] {
  const spoken = [...new Set(languages.map(primaryLanguage))].sort();
  const stemmed = spoken.map((language) => termsByPosition(query, language).flat());
  const asked = spoken.some((language) => language !== '') ? spoken : ['en'];
  const found = new Map<string, Named>();
  let i = 0;
  for (const [position, samePosition] of termsByPosition(query, '').entries()) {
    let whole: string | undefined;
    for (const term of samePosition) {
      const forms = formsOf(term, stemmed, i++);
      const key = forms.length === 1 ? (forms[0] as string) : forms.join(' ');
      if (!found.has(key)) found.set(key, { key, term, forms, question: isQuestionWord(term, asked), position, whole });
      whole ??= key;
    }
  }
  return kept(unmarkedIfAlone([...found.values()]));
}

function formsOf(term: string, stemmed: readonly (readonly string[])[], index: number): readonly string[] {
  if (stemmed.length === 1) return [stemmed[0]?.[index] ?? term];
  return stemmed.length === 0 ? [term] : [...new Set(stemmed.map((list) => list[index] ?? term))];
}

function unmarkedIfAlone(named: readonly Named[]): readonly Named[] {
  if (named.some(({ question }) => !question)) return named;
  return named.map((term) => ({ ...term, question: false }));
}

function kept(named: readonly Named[]): readonly Named[] {
  if (named.length <= MAX_QUERY_TERMS) return named;
  const worth = ({ question, term }: Named) => (question ? 0 : term.length);
  const best = new Set(named.toSorted((a, b) => worth(b) - worth(a)).slice(0, MAX_QUERY_TERMS));
  return named.filter((term) => best.has(term));
}
