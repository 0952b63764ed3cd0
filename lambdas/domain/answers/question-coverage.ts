import { queryTerms } from '../../text/words/query-terms.ts';
import { isQuestionWord } from '../../text/words/question-words.ts';
import { termsAmong } from '../../text/words/terms.ts';
import type { FoundPassage } from '../search/search-passages.ts';
import { quotedTexts } from './quoted-lines.ts';

/** Passages that are looked at. */
const MAX_PASSAGES = 3;

/**
 * The largest share of a question's words that one sentence of the best passages has, 0 to 1. Passages about something
 * else have its words apart.
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
