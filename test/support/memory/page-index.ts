import type { Passage, PassageRef } from '../../../lambdas/domain/ports/index-reader.ts';
import type { IndexEntry, PageIndex, PageRef, SiteScope } from '../../../lambdas/domain/ports/page-index.ts';
import { listingOf } from '../../../lambdas/domain/ports/rules/listing.ts';
import { pageBatch } from '../../../lambdas/search-engine/page-batch.ts';
import { SearchEngine } from '../../../lambdas/search-engine/search-engine.ts';
import { type OpenSite, Segment } from '../../../lambdas/search-engine/segment.ts';
import { decodeSections } from '../../../lambdas/search-engine/segment-format.ts';

type Indexed = { readonly id: number; readonly entry: IndexEntry; readonly segment: Segment };

/** `PageIndex` in memory, on the search engine of the local service: each page is a segment. */
export class MemoryPageIndex implements PageIndex {
  readonly #pages = new Map<string, Indexed>();
  readonly #engine = new SearchEngine((scopes) => scopes.map((scope) => this.#siteOf(scope)));
  #ids = 0;

  readonly put: PageIndex['put'] = async (entries) => {
    for (const entry of entries) {
      const before = this.#pages.get(keyOf(entry));
      if (before && before.entry.revision > entry.revision) continue;
      const id = this.#ids++;
      this.#pages.set(keyOf(entry), { id, entry, segment: segmentOf(entry, id) });
    }
  };

  readonly remove: PageIndex['remove'] = async (pages) => {
    for (const page of pages) {
      const before = this.#pages.get(keyOf(page));
      if (before && before.entry.revision <= page.revision) this.#pages.delete(keyOf(page));
    }
  };

  readonly removeBelow: PageIndex['removeBelow'] = async (siteId, generation, limit) => {
    const below = this.of(siteId).filter((entry) => entry.generation < generation);
    for (const entry of below.slice(0, limit)) this.#pages.delete(keyOf(entry));
    return below.length <= limit;
  };

  readonly refresh: PageIndex['refresh'] = async () => undefined;
  readonly candidates: PageIndex['candidates'] = async (query) => this.#engine.candidates(query);
  readonly vocabulary: PageIndex['vocabulary'] = async (query) => this.#engine.vocabulary(query);
  readonly facets: PageIndex['facets'] = async (query) => this.#engine.facets(query);
  readonly passages: PageIndex['passages'] = async (refs) => refs.map((ref) => this.#passage(ref));

  readonly titled: PageIndex['titled'] = async (query) => {
    const { pages, withTypos } = this.#engine.titled(query);
    const byId = new Map([...this.#pages.values()].map(({ id, entry }) => [id, entry]));
    const titled = pages.map(({ siteId, page: { id, url } }) => ({ siteId, url, title: byId.get(id)?.title ?? '' }));
    return { pages: titled, withTypos };
  };

  readonly find: PageIndex['find'] = async ({ siteId, generation }, { text, limit, after = '' }) => {
    const found = this.of(siteId).filter(
      (entry) =>
        entry.generation === generation &&
        entry.url > after &&
        `${entry.title}\n${entry.url}`.toLowerCase().includes(text.toLowerCase()),
    );
    const rows = found.map(({ url, urlHash, title, revision }) => ({ url, urlHash, title, revision }));
    return listingOf(rows.sort((a, b) => (a.url < b.url ? -1 : 1)).slice(0, limit + 1), limit, ({ url }) => url);
  };

  /** The entries of a site, of all generations. */
  of(siteId: string): readonly IndexEntry[] {
    return [...this.#pages.values()].flatMap(({ entry }) => (entry.siteId === siteId ? [entry] : []));
  }

  #siteOf({ siteId, generation }: SiteScope): OpenSite {
    const pages = [...this.#pages.values()].filter(
      ({ entry }) => entry.siteId === siteId && entry.generation === generation,
    );
    const chunks = pages.flatMap(({ entry }) => entry.chunks);
    return {
      chunks: chunks.length,
      terms: chunks.reduce((sum, { terms }) => sum + terms.length, 0),
      segments: pages.map(({ segment }) => segment),
    };
  }

  #passage({ ord, ...page }: PassageRef): Passage | undefined {
    const { entry } = this.#pages.get(keyOf(page)) ?? {};
    const chunk = entry?.chunks.find((one) => one.ord === ord);
    if (!entry || !chunk) return undefined;
    const { chunks, titleTerms, titleSpellings, titleLength, spellings, ...rest } = entry;
    const { headings, text, sections } = chunk;
    return { ...rest, ord, headings, text, sections };
  }
}

function segmentOf(entry: IndexEntry, id: number): Segment {
  const { segment } = pageBatch([entry]);
  decodeSections(segment.buffer, segment.byteOffset).pageIds.set([id]);
  return Segment.open([segment], segment.length);
}

const keyOf = ({ siteId, generation, urlHash }: PageRef): string => `${siteId} ${generation} ${urlHash}`;
