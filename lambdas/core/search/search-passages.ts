import type { SiteRecord } from '../sites/site.ts';
import type { SearchedSite } from './find-pages.ts';
import { foundPages, type SearchDeps } from './search-pages.ts';
import type { SearchRequest } from './search-request.ts';
import { shownUrl } from './shown-url.ts';

/** The chunk of a page that answers a query best, with its text. */
export type FoundPassage = {
  readonly siteId: string;
  readonly urlHash: string;
  /** As it is shown to visitors. */
  readonly url: string;
  readonly title: string;
  readonly language?: string;
  /** Changes when the page does. */
  readonly revision: number;
  readonly ord: number;
  readonly headings: readonly string[];
  readonly text: string;
  /** 0 to 1, after boosts. */
  readonly score: number;
};

/** The best passage of each page that matches, best first, boosts included. If the embedder fails, words alone decide. */
export async function searchPassages(
  sites: readonly SearchedSite[],
  request: Pick<SearchRequest, 'query' | 'limit' | 'minScore'>,
  deps: SearchDeps,
): Promise<{ readonly passages: readonly FoundPassage[]; readonly degraded: boolean }> {
  const { pages, degraded } = await foundPages(sites, { ...request, offset: 0, autocomplete: false }, deps);
  const shown = pages.slice(0, request.limit);
  const texts = await deps.index.passages(shown.map(({ ref, chunk }) => ({ ...ref, ord: chunk })));
  const passages = shown.flatMap(({ score, site }, i): readonly FoundPassage[] => {
    const passage = texts[i];
    return passage ? [foundPassage(passage, Math.min(1, score), site)] : [];
  });
  return { passages, degraded };
}

type Passage = Awaited<ReturnType<SearchDeps['index']['passages']>>[number] & {};

function foundPassage(passage: Passage, score: number, site: SiteRecord): FoundPassage {
  const { siteId, urlHash, title, language, revision, ord, headings, text } = passage;
  return {
    ...{ siteId, urlHash, url: shownUrl(passage.url, site), title, revision, ord, headings, text, score },
    ...(language !== undefined && { language }),
  };
}
