import { fold } from './folding.ts';
import { isQuestionWord, QUESTION_LANGUAGES } from './question-words.ts';

/** So many words tell the language of a page. */
const WORDS = 400;
const FEWEST_WORDS = 20;
/** Of running text 30 to 50 % are words that bind a sentence; of a page of tables and names fewer. */
const LEAST_SHARE = 0.15;
/** Related languages share such words: the first must lead the second clearly. */
const LEAD = 1.25;

const WORD = /\p{L}[\p{L}\p{M}'\u2019]*/gu;

/** The language of a text by the words that bind its sentences, or undefined where they do not tell. */
export function detectLanguage(text: string): string | undefined {
  const words: string[] = [];
  for (const [word] of text.matchAll(WORD)) {
    if (words.push(fold(word.slice(0, 30).toLowerCase()).replace(/['\u2019]/g, '')) >= WORDS) break;
  }
  if (words.length < FEWEST_WORDS) return undefined;
  const shares = QUESTION_LANGUAGES.map((language) => ({
    language,
    share: words.filter((word) => isQuestionWord(word, [language])).length / words.length,
  })).sort((a, b) => b.share - a.share);
  const [first, second] = shares;
  if (!first || first.share < LEAST_SHARE || first.share < LEAD * (second?.share ?? 0)) return undefined;
  return first.language;
}
