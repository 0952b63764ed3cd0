import { fold } from './folding.ts';
import { QUESTION_LANGUAGES, questionLanguages } from './question-words.ts';

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
  const counts = new Map<string, number>();
  let words = 0;
  for (const [word] of text.matchAll(WORD)) {
    const folded = fold(word.slice(0, 30).toLowerCase()).replace(/['\u2019]/g, '');
    for (const language of questionLanguages(folded)) counts.set(language, (counts.get(language) ?? 0) + 1);
    words += 1;
    if (words >= WORDS) break;
  }
  if (words < FEWEST_WORDS) return undefined;
  const shares = QUESTION_LANGUAGES.map((language) => ({ language, share: (counts.get(language) ?? 0) / words })).sort(
    (a, b) => b.share - a.share,
  );
  const [first, second] = shares;
  if (!first || first.share < LEAST_SHARE || first.share < LEAD * (second?.share ?? 0)) return undefined;
  return first.language;
}
