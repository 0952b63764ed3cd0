import { primaryLanguage, stem, stemmedLanguage } from '../../../text/words/stemmer.ts';
import { terms, termsByPosition } from '../../../text/words/terms.ts';
import type { WordQuery } from '../../ports/index-reader.ts';

/** A word of a query as typed, with its offsets. An identifier is one word. */
export type TypedWord = {
  /** Folded but not stemmed. */
  readonly word: string;
  /** Its stems in the languages of the site. Stemming takes accents into account. */
  readonly forms: readonly string[];
  readonly start: number;
  readonly end: number;
};

/** Returns the words of a query. `languages`: those of the site's pages. */
export function typedWords(text: string, languages: readonly string[]): readonly TypedWord[] {
  const found = terms(text, '');
  const spoken = languages.length > 0 ? [...new Set(languages.map(primaryLanguage))] : [''];
  const stems = spoken.map((language) => termsByPosition(text, language));
  return found
    .filter(({ position }, i) => found[i - 1]?.position !== position)
    .map(({ term, start, end }, i) => {
      const forms = [...new Set(stems.map((ofLanguage) => ofLanguage[i]?.[0] ?? term))];
      return { word: term, forms, start, end };
    });
}

/** Returns the stems of a folded word in the languages of a site. */
export function formsOf(word: string, languages: readonly string[]): readonly string[] {
  const spoken = languages.length > 0 ? languages : [''];
  return [...new Set(spoken.map((language) => stem(word, stemmedLanguage(primaryLanguage(language)))))];
}

export const wordQuery = ({ word, forms }: Pick<TypedWord, 'word' | 'forms'>, find?: WordQuery['find']): WordQuery => ({
  word,
  forms,
  ...(find && { find }),
});

/** Returns the languages whose question words are ignored. */
export function questionLanguages(languages: readonly string[]): readonly string[] {
  const spoken = languages.map(primaryLanguage).filter((language) => language !== '');
  return spoken.length > 0 ? spoken : ['en'];
}
