import type { Embedder, PageIndex, PageStore, SiteScope, Table } from '../../adapters/ports.ts';
import type { Clock } from '../clock.ts';
import { indexEntries } from '../content/index-entry.ts';
import { metadataFacts } from '../ingest/metadata-facts.ts';
import { type RegisteredPage, registeredPages } from '../sites/page-registry.ts';

/** So many pages are read, embedded and written together. */
const BATCH = 20;

type RebuildDeps = {
  readonly table: Table;
  readonly pageStore: PageStore;
  /** Of the space that is being filled. */
  readonly pageIndex: PageIndex;
  readonly embedder: Embedder;
  readonly clock: Clock;
};

type Place = Pick<RegisteredPage, 'url' | 'urlHash'>;

/**
 * Puts the pages of a site's generation into another index, from their registry rows and stored texts, until the deadline. Answers
 * after which page to go on, or undefined when all are there. Doing it again is harmless: whoever writes or removes a page meanwhile
 * does it in that index too, with a revision that is not lower.
 */
export async function rebuildSite(
  scope: SiteScope,
  from: Place | undefined,
  deadline: number,
  deps: RebuildDeps,
): Promise<Place | undefined> {
  let after = from;
  do {
    const { items, next } = await registeredPages(scope.siteId, scope.generation, { limit: BATCH, after }, deps.table);
    await rebuildPages(items, scope, deps);
    const last = items.at(-1);
    if (next === undefined || last === undefined) return undefined;
    after = { url: last.url, urlHash: last.urlHash };
  } while (deps.clock() < deadline);
  return after;
}

async function rebuildPages(
  rows: readonly RegisteredPage[],
  { siteId, generation }: SiteScope,
  { pageStore, pageIndex, embedder }: RebuildDeps,
): Promise<void> {
  const texts = await pageStore.get(rows.map(({ urlHash, revision }) => ({ siteId, generation, urlHash, revision })));
  const pages = rows.flatMap((row, place) => {
    const content = texts[place]; // none: the page has been written anew since, to both indices
    return content ? [{ siteId, generation, row, content, facts: metadataFacts(content.metadata) }] : [];
  });
  if (pages.length > 0) await pageIndex.put(await indexEntries(pages, embedder), { visible: 'soon' });
}
