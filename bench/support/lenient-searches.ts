import type { Figures } from './figures.ts';
import type { ManualQuery } from './manual-queries.ts';
import type { Query } from './relevance-collections.ts';
import type { IndexedSite } from './relevance-search.ts';

const MIN_MISTYPED_LENGTH = 4;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const WALK = { limit: 50, end: 1000 };

/**
 * Measures searches at every keystroke, with one typo, for titles without their numbers, and through all pages of
 * results.
 */
export async function lenientSearches(
  name: string,
  queries: readonly ManualQuery[],
  titles: readonly Query[],
  site: IndexedSite,
): Promise<Figures> {
  return {
    [`${name}: queries, right page in the first 3`]: await share(queries, (query) => isAnswered(query[0], query, site)),
    [`${name}: keystrokes inside words that show nothing`]: await share(queries.flatMap(beginnings), (text) =>
      isEmpty(text, site),
    ),
    [`${name}: one typo, nothing found`]: await share(queries.flatMap(mistyped), ({ text }) => isEmpty(text, site)),
    [`${name}: one typo, right page in the first 3`]: await share(queries.flatMap(mistyped), ({ text, query }) =>
      isAnswered(text, query, site),
    ),
    [`${name}: titles without their numbers first`]: await share(titles, async ({ text, answers }) => {
      const plain = text.replace(/^(?:(?:chapter|appendix|part) )?[\dA-Z]+(?:\.\d+)*\.\s+/i, '');
      const { results } = await site.ask({ query: plain.replaceAll('"', '') });
      return answers.includes(results[0]?.url ?? '') || results[0]?.title.endsWith(plain) === true;
    }),
    [`${name}: results that name a section`]: await share(queries, async ([query]) => {
      const { results } = await site.ask({ query, limit: 1 });
      return results[0]?.section !== undefined;
    }),
    [`${name}: walks by offset with a page twice or in another order`]: await share(queries, ([query]) =>
      isUnsteady(query, site),
    ),
  };
}

async function share<T>(items: readonly T[], holds: (item: T) => Promise<boolean>): Promise<Figures[string]> {
  let count = 0;
  for (const item of items) if (await holds(item)) count++;
  return { count: items.length, share: Number((count / items.length).toFixed(3)) };
}

const isEmpty = async (query: string, site: IndexedSite): Promise<boolean> =>
  (await site.ask({ query })).results.length === 0;

async function isAnswered(query: string, [, ...answers]: ManualQuery, site: IndexedSite): Promise<boolean> {
  const { results } = await site.ask({ query, limit: 3 });
  return results.some(({ url }) => answers.some((answer) => url.toLowerCase().includes(`/${answer}`)));
}

/** Returns the query after each letter, except after the last letters of its words. */
const beginnings = ([text]: ManualQuery): readonly string[] =>
  Array.from(text, (_, i) => text.slice(0, i + 1)).filter(
    (start) => /\S$/.test(start) && /^\S/.test(text.slice(start.length)),
  );

/**
 * Returns the query with a wrong, a missing, an added and a swapped letter in each longer word. The word decides where.
 */
export function mistyped(query: ManualQuery): readonly { readonly text: string; readonly query: ManualQuery }[] {
  const words = query[0].split(' ');
  return words.flatMap((word, i) => {
    if (word.length < MIN_MISTYPED_LENGTH) return [];
    const random = randomOf(word);
    const [wrong, missing, added, swapped] = [0, 0, 1, -1].map((more) => random(word.length + more)) as [
      number,
      number,
      number,
      number,
    ];
    const letter = () => LETTERS[random(LETTERS.length)] ?? '';
    const typos = [
      word.slice(0, wrong) + letter() + word.slice(wrong + 1),
      word.slice(0, missing) + word.slice(missing + 1),
      word.slice(0, added) + letter() + word.slice(added),
      word.slice(0, swapped) + word.charAt(swapped + 1) + word.charAt(swapped) + word.slice(swapped + 2),
    ];
    return typos.filter((typo) => typo !== word).map((typo) => ({ query, text: words.with(i, typo).join(' ') }));
  });
}

function randomOf(seedText: string): (below: number) => number {
  let seed = 0;
  for (const character of seedText) seed = (Math.imul(seed, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return (below) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
}

/**
 * Tells whether walking through all pages of results repeats a URL, or gives another order than the first 100 at once.
 */
async function isUnsteady(query: string, site: IndexedSite): Promise<boolean> {
  const urlsFrom = async (offset: number, limit: number) =>
    (await site.ask({ query, offset, limit, minScore: 0.1 })).results.map(({ url }) => url);
  const walked: string[] = [];
  for (let offset = 0; offset < WALK.end; offset += WALK.limit) {
    const urls = await urlsFrom(offset, WALK.limit);
    walked.push(...urls);
    if (urls.length < WALK.limit) break;
  }
  const first = await urlsFrom(0, 100);
  return new Set(walked).size < walked.length || first.some((url, i) => url !== walked[i]);
}
