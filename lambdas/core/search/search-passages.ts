import type { SiteRecord } from '../sites/site.ts';
import { normaliseUrl, urlHash } from '../web/url.ts';
import type { SearchedSite } from './find-pages.ts';
import { foundPages, type SearchDeps } from './search-pages.ts';
import type { SearchRequest } from './search-request.ts';
import { shownUrl, storedPrefixes } from './shown-url.ts';

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

/**
 * The best passage of each page that matches, best first, boosts included. Typos are corrected if nothing matches the
 * words as typed. If the embedder fails, words alone decide.
 */
export async function searchPassages(
  sites: readonly SearchedSite[],
  request: Pick<SearchRequest, 'query' | 'limit' | 'minScore'>,
  deps: SearchDeps,
): Promise<{ readonly passages: readonly FoundPassage[]; readonly degraded: boolean }> {
  const whole = { ...request, offset: 0, autocomplete: false };
  const typed = await foundPages(sites, { ...whole, exact: true }, deps);
  const { pages, degraded } = typed.pages.length > 0 ? typed : await foundPages(sites, whole, deps);
  const shown = pages.slice(0, request.limit);
  const texts = await deps.index.passages(shown.map(({ ref, chunk }) => ({ ...ref, ord: chunk })));
  const passages = shown.flatMap(({ score, site }, i): readonly FoundPassage[] => {
    const passage = texts[i];
    return passage ? [foundPassage(passage, Math.min(1, score), site)] : [];
  });
  return { passages, degraded };
}

/** The beginning of the page at a URL as visitors see it, with a score of 0; undefined if it is not indexed. */
export async function firstPassage(
  sites: readonly SearchedSite[],
  url: string,
  { index }: Pick<SearchDeps, 'index'>,
): Promise<FoundPassage | undefined> {
  const refs = sites.flatMap(({ site }) =>
    storedPrefixes(url, site).map((stored) => {
      const { siteId } = site.settings;
      const { generation } = site.state;
      return { site, ref: { siteId, generation, urlHash: urlHash(normaliseUrl(stored) ?? stored), ord: 0 } };
    }),
  );
  const passages = await index.passages(refs.map(({ ref }) => ref));
  const found = refs.flatMap(({ site }, i) => (passages[i] ? foundPassage(passages[i], 0, site) : []));
  return found[0];
}

type Passage = Awaited<ReturnType<SearchDeps['index']['passages']>>[number] & {};

function foundPassage(passage: Passage, score: number, site: SiteRecord): FoundPassage {
  const { siteId, urlHash, title, language, revision, ord, headings, text } = passage;
  return {
    ...{ siteId, urlHash, url: shownUrl(passage.url, site), title, revision, ord, headings, text, score },
    ...(language !== undefined && { language }),
  };
}
