import { fold } from '../language/folding.ts';
import { isQuestionWord } from '../language/question-words.ts';
import { withoutNumber } from '../language/title-number.ts';
import type { IndexReader, TitledPage, WordEntry, WordQuery } from '../ports/page-index.ts';
import type { SiteRecord } from '../sites/site.ts';
import { bestCorrection } from './corrections.ts';
import { isNonEmpty } from './find-pages.ts';
import { formsOf, typedWords } from './query-words.ts';
import { shownUrl } from './shown-url.ts';

export type Suggestion =
  | { readonly text: string; readonly type: 'page'; readonly url: string }
  | { readonly text: string; readonly type: 'query' };

export const MOST_SUGGESTIONS = 8;
/** More titles than are shown are read, since those that begin with the text come first. */
const MOST_TITLES = 50;
/** Words of a longer text beyond this number are ignored. */
const MOST_WORDS = 16;

/** Page titles of the sites that have all words of the text, the last of which may be unfinished; one typo a word. */
export async function suggest(
  sites: readonly SiteRecord[],
  text: string,
  index: Pick<IndexReader, 'vocabulary' | 'titled'>,
): Promise<{ readonly suggestions: readonly Suggestion[] }> {
  const scopes = sites.map(({ settings: { siteId }, state: { generation } }) => ({ siteId, generation }));
  const languages = [...new Set(sites.flatMap(({ state }) => state.languages ?? []))];
  const typed = typedWords(text, languages).slice(0, MOST_WORDS);
  if (!isNonEmpty(scopes) || typed.length === 0) return { suggestions: [] };
  const lookUp = async (words: readonly WordQuery[]): Promise<readonly WordEntry[]> =>
    words.length === 0 ? [] : index.vocabulary({ scopes, words });
  const words = typed.map(({ word, forms }, i) => ({
    ...{ word, forms },
    ...(i === typed.length - 1 && { find: 'completions' as const }),
  }));
  const entries = await lookUp(words);
  const unknown = words.filter((_, i) => !entries[i]?.isKnown && entries[i]?.found.length === 0);
  const similar = await lookUp(
    unknown.map((word) => ({ ...word, find: word === words.at(-1) ? 'similarCompletions' : 'similar' })),
  );
  const alternatives = words.map((word, i) => {
    const meant = similar[unknown.indexOf(word)]?.found ?? [];
    const correction = bestCorrection(word.word, meant);
    const corrected = word === words.at(-1) || !correction ? meant : [correction];
    const found = [...(entries[i]?.found ?? []), ...corrected];
    return [...word.forms, ...found.flatMap((other) => formsOf(other.word, languages))];
  });
  const titled = await titledPages(alternatives, words, { scopes, languages, index });
  const ofSite = new Map(sites.map((site) => [site.settings.siteId, site]));
  const suggestions = titled.toSorted(byTitle(text)).flatMap(({ siteId, title, url }) => {
    const site = ofSite.get(siteId);
    return site ? [{ text: title, type: 'page' as const, url: shownUrl(url, site) }] : [];
  });
  return { suggestions: suggestions.slice(0, MOST_SUGGESTIONS) };
}

type Deps = Pick<Parameters<IndexReader['titled']>[0], 'scopes'> & {
  readonly languages: readonly string[];
  readonly index: Pick<IndexReader, 'titled'>;
};

/** If no title has all words, question words need not be in it. */
async function titledPages(
  alternatives: readonly (readonly string[])[],
  words: readonly WordQuery[],
  { scopes, languages, index }: Deps,
): Promise<readonly TitledPage[]> {
  const found = await index.titled({ scopes, words: alternatives, limit: MOST_TITLES });
  if (found.length > 0) return found;
  const asked = languages.length > 0 ? languages : ['en'];
  const counted = alternatives.filter((_, i) => !isQuestionWord(words[i]?.word ?? '', asked));
  if (counted.length === 0 || counted.length === alternatives.length) return [];
  return index.titled({ scopes, words: counted, limit: MOST_TITLES });
}

/** Titles that begin with the text first, then short ones. */
function byTitle(text: string): (a: TitledPage, b: TitledPage) => number {
  const typed = normal(text);
  const rank = ({ title }: TitledPage) => (normal(withoutNumber(title)).startsWith(typed) ? 0 : 1);
  return (a, b) =>
    rank(a) - rank(b) || a.title.length - b.title.length || inOrder(a.title, b.title) || inOrder(a.url, b.url);
}

const normal = (text: string): string => fold(text.toLowerCase().slice(0, 64)).trim();

function inOrder(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
