import { AsciiTokenizer } from './ascii-tokenizer.ts';
import { fold } from './folding.ts';
import { QUESTION_LANGUAGES, questionLanguages } from './question-words.ts';

/** So many words tell the language of a page. */
const WORDS = 400;
const FEWEST_WORDS = 20;
/** Of running text 30 to 50 % are words that bind a sentence; of a page of tables and names fewer. */
const LEAST_SHARE = 0.15;
/** Related languages share such words: the first must lead the second clearly. */
const LEAD = 1.25;

/** Of a longer word only the beginning is read. */
const LONGEST = 30;

const CUTTER = new AsciiTokenizer(/\p{L}[\p{L}\p{M}'\u2019]*/gu, (word) =>
  fold(word.slice(0, LONGEST).toLowerCase()).replace(/['\u2019]/g, ''),
);

/** The language of a text by the words that bind its sentences, or undefined where they do not tell. */
export function detectLanguage(text: string): string | undefined {
  const words = CUTTER.words(text, WORDS);
  if (words.length < FEWEST_WORDS) return undefined;
  const counts = new Uint16Array(QUESTION_LANGUAGES.length);
  for (const word of words) for (const place of questionLanguages(word)) counts[place] = (counts[place] ?? 0) + 1;
  const shares = QUESTION_LANGUAGES.map((language, place) => ({
    language,
    share: (counts[place] ?? 0) / words.length,
  }));
  shares.sort((a, b) => b.share - a.share);
  const [first, second] = shares;
  if (!first || first.share < LEAST_SHARE || first.share < LEAD * (second?.share ?? 0)) return undefined;
  return first.language;
}
