import { queryTerms } from '../../text/words/query-terms.ts';
import { isQuestionWord } from '../../text/words/question-words.ts';
import { termsAmong } from '../../text/words/terms.ts';
import type { FoundPassage } from '../search/search-passages.ts';
import { quotedTexts } from './quoted-lines.ts';

/** Most passages examined. */
const MAX_PASSAGES = 3;

/**
 * Returns the largest share of a question's words in one sentence of the best passages, 0 to 1. In passages about other
 * subjects, the words are scattered over several sentences.
 */
export function questionCoverage(question: string, passages: readonly FoundPassage[]): number {
  const best = passages.slice(0, MAX_PASSAGES);
  const shares = best.map(({ text, language = '' }) => {
    const words = queryTerms(question, [language]).filter(({ term }) => !isQuestionWord(term, [language || 'en']));
    const termOf = new Map(words.flatMap(({ forms }, term) => forms.map((form) => [form, term] as const)));
    const find = termsAmong(new Set(termOf.keys()));
    const counts = quotedTexts(text).map(
      (sentence) => new Set(find(sentence, language).map(({ term }) => termOf.get(term))).size,
    );
    return Math.max(0, ...counts) / Math.max(1, words.length);
  });
  return Math.max(0, ...shares);
}
