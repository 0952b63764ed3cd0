import { QUESTION_LANGUAGES } from './question-words.ts';
import { primaryLanguage, stemmedLanguage } from './stemmer.ts';

/** RFC 5646: the undetermined language. */
const UNDETERMINED = 'und';
const WITH_QUESTION_WORDS: ReadonlySet<string> = new Set(QUESTION_LANGUAGES);

/**
 * Returns the language in which a page is searched. Languages without a stemmer and question words share one value,
 * because pages may name any number of languages.
 */
export function searchedLanguage(tag: string | undefined): string {
  if (tag === undefined || tag === '') return '';
  const primary = primaryLanguage(tag);
  return stemmedLanguage(primary) !== '' || WITH_QUESTION_WORDS.has(primary) ? primary : UNDETERMINED;
}
