import type { Figures } from './figures.ts';
import { mistyped } from './lenient-searches.ts';
import type { Collection } from './relevance-collections.ts';
import type { IndexedSite } from './relevance-search.ts';

const WORDS = 4;
const [FIRST, SHORTEST] = [1, 60];

/** Measures four quoted words of a paragraph of each `every`th page: unchanged, in reverse order, and with a typo. */
export async function phraseFigures(
  name: string,
  { pages }: Pick<Collection, 'pages'>,
  site: IndexedSite,
  every: number,
): Promise<Figures> {
  const phrases = pages
    .filter((_, i) => i % every === 0)
    .flatMap(({ url, content: { blocks } }) => {
      const text = blocks.find((block) => block.kind === 'text' && block.text.length >= SHORTEST)?.text ?? '';
      const words = text
        .replace(/["“”„«»]/g, '')
        .split(/\s+/)
        .slice(FIRST, FIRST + WORDS);
      return words.length < WORDS ? [] : [{ url, words }];
    });
  const counts = { missed: 0, unanswered: 0, mistyped: 0, unfound: 0 };
  for (const { url, words } of phrases) {
    const phrase = words.join(' ');
    const found = await site.ask({ query: `"${phrase}"`, limit: 100 });
    if (found.phraseDropped || (found.results.length < 100 && !found.results.some((result) => result.url === url)))
      counts.missed++;
    if (await isEmptyOnlyInQuotes(words.toReversed().join(' '), site)) counts.unanswered++;
    const typo = mistyped([phrase])[0]?.text;
    if (typo === undefined) continue;
    counts.mistyped++;
    if (await isEmptyOnlyInQuotes(typo, site)) counts.unfound++;
  }
  const shareOf = (part: number, count: number) => ({ count, share: Number((part / count).toFixed(3)) });
  return {
    [`${name}: quoted phrases that miss their page`]: shareOf(counts.missed, phrases.length),
    [`${name}: reversed phrases, nothing only in quotes`]: shareOf(counts.unanswered, phrases.length),
    [`${name}: phrases with a typo, nothing only in quotes`]: shareOf(counts.unfound, counts.mistyped),
  };
}

async function isEmptyOnlyInQuotes(phrase: string, site: IndexedSite): Promise<boolean> {
  const isEmpty = async (query: string) => (await site.ask({ query })).results.length === 0;
  return (await isEmpty(`"${phrase}"`)) && !(await isEmpty(phrase));
}
