import { defined } from '../../text/defined.ts';
import { normaliseUrl, urlHash } from '../../text/web/url.ts';
import type { SiteRecord } from '../sites/site.ts';
import type { Hit } from './find-pages.ts';
import { matchPages } from './match-pages.ts';
import { furtherChunks } from './rank/rank-pages.ts';
import { shownUrl, storedPrefixes } from './results/shown-url.ts';
import type { SearchDeps } from './search-pages.ts';
import type { SearchRequest } from './search-request.ts';
import type { SearchedSite } from './searched-site.ts';

/** The chunk of a page that answers a query best, with its text. */
export type FoundPassage = {
  readonly siteId: string;
  readonly urlHash: string;
  /** The URL as visitors see it. */
  readonly url: string;
  readonly title: string;
  readonly language?: string;
  /** Changes with the page. */
  readonly revision: number;
  readonly ord: number;
  readonly headings: readonly string[];
  readonly text: string;
  /** 0 to 1, after boosts. */
  readonly score: number;
  /** This passage and further chunks of the page that match nearly as well, in reading order. */
  readonly parts: readonly PagePart[];
};

export type PagePart = Pick<FoundPassage, 'ord' | 'headings' | 'text' | 'score'>;

export type PassageRequest = Pick<SearchRequest, 'query' | 'limit' | 'minScore'> & {
  readonly further: number;
  readonly opening?: boolean;
};

/** Least score of a passage, as a share of the best chunk's. */
const MIN_SHARE = 0.5;
/** Score of a page's first chunk if it does not match itself, as a share of the best chunk's. */
const OPENING_SHARE = 0.8;

/**
 * Returns the best passage of each page that matches, best first, boosts included. Corrects typos if nothing matches
 * the words as typed. If the embedder fails, words alone decide. Adds at most `further` other parts of the page, and
 * with `opening` its first chunk.
 */
export async function searchPassages(
  sites: readonly SearchedSite[],
  { further, opening = false, ...request }: PassageRequest,
  deps: SearchDeps,
): Promise<{ readonly passages: readonly FoundPassage[]; readonly degraded: boolean }> {
  const whole = { ...request, offset: 0, autocomplete: false, sections: further };
  const typed = await matchPages(sites, { ...whole, exact: true }, deps);
  const { pages, chunks, degraded } = typed.pages.length > 0 ? typed : await matchPages(sites, whole, deps);
  const shown = pages.slice(0, request.limit);
  const others = further > 0 ? furtherChunks(shown, chunks, further) : new Map<string, readonly Hit[]>();
  const hitsOf = shown.map((hit) => {
    const more = (others.get(hit.page) ?? []).filter(({ score }) => score >= MIN_SHARE * hit.score);
    const found = [hit, ...more.slice(0, further)];
    return opening && found.every(({ chunk }) => chunk > 0) ? [...found, openingOf(hit)] : found;
  });
  const texts = await deps.index.passages(hitsOf.flat().map(({ ref, chunk }) => ({ ...ref, ord: chunk })));
  let next = 0;
  const passages = hitsOf.flatMap((hits): readonly FoundPassage[] => {
    const found = hits.flatMap(({ score, site }) => {
      const passage = texts[next++];
      return passage ? [foundPassage(passage, Math.min(1, score), site)] : [];
    });
    const [best] = found;
    return best ? [{ ...best, parts: found.toSorted((a, b) => a.ord - b.ord) }] : [];
  });
  return { passages, degraded };
}

/** Returns the first chunk of a page, which often introduces its subject. */
const openingOf = (hit: Hit): Hit => ({ ...hit, chunk: 0, score: OPENING_SHARE * hit.score });

/** Returns the first chunk of the page at a URL as visitors see it, with a score of 0; undefined if not indexed. */
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
    siteId,
    urlHash,
    url: shownUrl(passage.url, site),
    title,
    revision,
    ord,
    headings,
    text,
    score,
    parts: [{ ord, headings, text, score }],
    ...defined({ language }),
  };
}
