import { fold } from '../../text/words/folding.ts';
import { isQuestionWord } from '../../text/words/question-words.ts';
import { withoutNumber } from '../../text/words/title-number.ts';
import type { IndexReader, TitledPage, TitleQuery } from '../ports/index-reader.ts';
import type { SiteRecord } from '../sites/site.ts';
import { typedWords } from './query/query-words.ts';
import { shownUrl } from './results/shown-url.ts';
import { isNonEmpty, languagesOf } from './searched-site.ts';

export type Suggestion =
  | { readonly text: string; readonly type: 'page'; readonly url: string }
  | { readonly text: string; readonly type: 'query' };

export const MAX_SUGGESTIONS = 8;
/** Titles read. More than are shown, because those that begin with the text are then sorted first. */
const MAX_TITLES = 50;
/** Further words of the text are ignored. */
const MAX_WORDS = 16;

/**
 * Suggests titles of pages that have all words of the text. The last word may be unfinished. Allows one typo per word.
 */
export async function suggest(
  sites: readonly SiteRecord[],
  text: string,
  index: Pick<IndexReader, 'titled'>,
): Promise<{ readonly suggestions: readonly Suggestion[] }> {
  const scopes = sites.map(({ settings: { siteId }, state: { generation } }) => ({ siteId, generation }));
  const languages = languagesOf(sites);
  const words = typedWords(text, languages).slice(0, MAX_WORDS);
  if (!isNonEmpty(scopes) || words.length === 0) return { suggestions: [] };
  const titled = await titledPages(words, { scopes, languages, index });
  const ofSite = new Map(sites.map((site) => [site.settings.siteId, site]));
  const suggestions = titled.toSorted(byTitle(text)).flatMap(({ siteId, title, url }) => {
    const site = ofSite.get(siteId);
    return site ? [{ text: title, type: 'page' as const, url: shownUrl(url, site) }] : [];
  });
  return { suggestions: suggestions.slice(0, MAX_SUGGESTIONS) };
}

type Deps = Pick<TitleQuery, 'scopes'> & {
  readonly languages: readonly string[];
  readonly index: Pick<IndexReader, 'titled'>;
};

/** Finds titles with all words; else with all words except question words; else with typos. */
async function titledPages(
  words: TitleQuery['words'],
  { scopes, languages, index }: Deps,
): Promise<readonly TitledPage[]> {
  const asked = languages.length > 0 ? languages : ['en'];
  const counted = words.filter(({ word }) => !isQuestionWord(word, asked));
  const readings = counted.length === 0 || counted.length === words.length ? [words] : [words, counted];
  let mistyped: readonly TitledPage[] = [];
  for (const reading of readings) {
    const { pages, withTypos } = await index.titled({ scopes, words: reading, limit: MAX_TITLES });
    if (!withTypos) return pages;
    if (mistyped.length === 0) mistyped = pages;
  }
  return mistyped;
}

/** Orders titles that begin with the text first, then shorter ones first. */
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
