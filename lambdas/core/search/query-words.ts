import { primaryLanguage, stem, stemmedLanguage } from '../language/stemmer.ts';
import { terms } from '../language/terms.ts';

/** A word of a query as typed, with its offsets; an identifier comes whole. */
export type TypedWord = { readonly word: string; readonly start: number; readonly end: number };

/** The words of a query, folded but not stemmed. */
export function typedWords(text: string): readonly TypedWord[] {
  const found = terms(text, '');
  return found
    .filter(({ position }, i) => found[i - 1]?.position !== position)
    .map(({ term, start, end }) => ({ word: term, start, end }));
}

/** The stems of a folded word in the languages of a site. */
export function formsOf(word: string, languages: readonly string[]): readonly string[] {
  const spoken = languages.length > 0 ? languages : [''];
  return [...new Set(spoken.map((language) => stem(word, stemmedLanguage(primaryLanguage(language)))))];
}
