import type { TitleQuery } from '../domain/ports/index-reader.ts';
import { allowedEdits } from '../text/words/spelling.ts';
import type { PageFacts } from './page-facts.ts';
import type { OpenSite, Segment } from './segment.ts';
import { spelledTerm } from './spellings.ts';

export type Titles = {
  readonly pages: readonly { readonly siteId: string; readonly page: PageFacts }[];
  readonly withTypos: boolean;
};

/** Finds the pages with the shortest titles that have all words. `sites` has one site per scope of the query. */
export function findTitles(query: TitleQuery, sites: readonly OpenSite[]): Titles {
  const asTyped = pagesWith(query, sites, false);
  if (asTyped.length > 0) return { pages: asTyped, withTypos: false };
  return { pages: pagesWith(query, sites, true), withTypos: true };
}

function pagesWith(
  { scopes, words, limit }: TitleQuery,
  sites: readonly OpenSite[],
  withTypos: boolean,
): Titles['pages'] {
  const found = sites.flatMap(({ segments }, i) => {
    const siteId = scopes[i]?.siteId ?? '';
    return segments.flatMap((segment) => {
      const pages = shortest(pagesWithAll({ words, withTypos }, segment), segment, limit);
      return pages.map((page) => ({ siteId, page: segment.factsOf(page) }));
    });
  });
  return found.sort((a, b) => a.page.titleLength - b.page.titleLength).slice(0, limit);
}

/** Returns the pages with the shortest titles. Does not sort all pages: one letter may match most of a site. */
function shortest(pages: readonly number[], { titleLengths }: Segment, limit: number): readonly number[] {
  const byLength: number[][] = [];
  for (const page of pages) {
    const length = titleLengths[page] as number;
    byLength[length] ??= [];
    byLength[length].push(page);
  }
  return byLength.flat().slice(0, limit);
}

type Words = Pick<TitleQuery, 'words'> & { readonly withTypos: boolean };

function pagesWithAll({ words, withTypos }: Words, segment: Segment): readonly number[] {
  /** For each page: how many words its title has, counted up to the first missing one. */
  const matched = new Uint8Array(segment.size);
  const found: number[] = [];
  const last = words.length - 1;
  for (const [i, word] of words.entries()) {
    for (const pages of titlesWith(word, segment, { withTypos, isLast: i === last })) {
      for (const page of pages) {
        if (matched[page] !== i || !segment.isLive(page)) continue;
        matched[page] = i + 1;
        if (i === last) found.push(page);
      }
    }
  }
  return found;
}

function titlesWith(
  { word, forms }: Words['words'][number],
  segment: Segment,
  { withTypos, isLast }: { readonly withTypos: boolean; readonly isLast: boolean },
): readonly Uint32Array[] {
  const { lexicon, spellings } = segment;
  const mayBe = (term: number) => segment.titlesWith(term).length > 0;
  const similar = () =>
    isLast ? spellings.similarCompletionsOf(word, { mayBe }) : spellings.similarTo(word, { edits: 1, mayBe });
  const mistyped = withTypos && allowedEdits(word) > 0 ? similar() : [];
  const terms = [...forms, ...mistyped.map((other) => spelledTerm(other.word))];
  const whole = terms.flatMap((term) => lexicon.idOf(term) ?? []).map((id) => segment.titlesWith(id));
  return isLast ? [...whole, segment.titlesWith(...spellings.termsWithPrefix(word))] : whole;
}
