import { fold } from './folding.ts';
import { QUESTION_LANGUAGES, questionLanguages } from './question-words.ts';
import { primaryLanguage } from './stemmer.ts';
import { words } from './words.ts';

const MOST_WORDS = 100;
const DEFAULT = 'en';

/**
 * The language of a question, which is too short for `detectLanguage`: the one of `QUESTION_LANGUAGES` with most
 * function words in it. Of several, one of the site's languages; without function words the site's, or English.
 */
export function questionLanguage(question: string, siteLanguages: readonly string[]): string {
  const ofSite = siteLanguages.map(primaryLanguage).filter((language) => QUESTION_LANGUAGES.includes(language));
  const counts = new Map<string, number>();
  for (const word of foldedWords(question)) {
    for (const index of questionLanguages(word)) {
      const language = QUESTION_LANGUAGES[index] ?? DEFAULT;
      counts.set(language, (counts.get(language) ?? 0) + 1);
    }
  }
  const most = Math.max(0, ...counts.values());
  const candidates = QUESTION_LANGUAGES.filter((language) => most > 0 && counts.get(language) === most);
  const preferred = candidates.length > 0 ? candidates : ofSite;
  return ofSite.find((language) => preferred.includes(language)) ?? preferred[0] ?? DEFAULT;
}

function foldedWords(text: string): readonly string[] {
  const found: string[] = [];
  for (const { spans } of words(text)) {
    const [span] = spans;
    if (span) found.push(fold(text.slice(span.start, span.end).toLowerCase()).replace(/['\u2019]/g, ''));
    if (found.length >= MOST_WORDS) break;
  }
  return found;
}
