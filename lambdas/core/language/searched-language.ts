import { QUESTION_LANGUAGES } from './question-words.ts';
import { primaryLanguage, stemmedLanguage } from './stemmer.ts';

/** RFC 5646: a language that is not known. */
const UNDETERMINED = 'und';
const QUESTIONED: ReadonlySet<string> = new Set(QUESTION_LANGUAGES);

/**
 * The language in which queries are read for pages of a language tag; '' for pages without one. All of which no word is known here are
 * one, for pages may name any number of them.
 */
export function searchedLanguage(tag: string | undefined): string {
  if (tag === undefined || tag === '') return '';
  const primary = primaryLanguage(tag);
  return stemmedLanguage(primary) !== '' || QUESTIONED.has(primary) ? primary : UNDETERMINED;
}
