import { fold } from './folding.ts';
import { QUESTION_LANGUAGES, questionLanguages } from './question-words.ts';

const WORDS = 400;
const MIN_WORDS = 20;
/** Function words are 30 to 50 % of running text, and fewer in tables and lists of names. */
const MIN_SHARE = 0.15;
/** Related languages share function words, so the first language must have this many times the share of the second. */
const LEAD = 1.25;
const LONGEST = 30;

const WORD = /\p{L}[\p{L}\p{M}'\u2019]*/gu;
const APOSTROPHES = /['\u2019]/g;

/** Detects the language of a text by its function words; undefined if they do not decide. */
export function detectLanguage(text: string): string | undefined {
  const words = firstWords(text);
  if (words.length < MIN_WORDS) return undefined;
  const counts = new Uint16Array(QUESTION_LANGUAGES.length);
  for (const word of words) for (const i of questionLanguages(word)) counts[i] = (counts[i] ?? 0) + 1;
  const shares = QUESTION_LANGUAGES.map((language, i) => ({
    language,
    share: (counts[i] ?? 0) / words.length,
  }));
  shares.sort((a, b) => b.share - a.share);
  const [first, second] = shares;
  if (!first || first.share < MIN_SHARE || first.share < LEAD * (second?.share ?? 0)) return undefined;
  return first.language;
}

function firstWords(text: string): readonly string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(WORD)) {
    words.push(fold(word.slice(0, LONGEST).toLowerCase()).replace(APOSTROPHES, ''));
    if (words.length === WORDS) break;
  }
  return words;
}
