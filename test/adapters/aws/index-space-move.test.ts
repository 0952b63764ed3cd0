import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pageStore } from '#adapters/page-store';
import { table } from '#adapters/table';
import { openSearch } from '../../../lambdas/adapters/aws/opensearch/client.ts';
import { ensureIndex, indexName } from '../../../lambdas/adapters/aws/opensearch/index-space.ts';
import { opensearchPageIndex } from '../../../lambdas/adapters/aws/opensearch/opensearch-page-index.ts';
import { builtinEmbedder } from '../../../lambdas/adapters/embedder-builtin.ts';
import type { Embedder, PageIndex, SiteScope } from '../../../lambdas/adapters/ports.ts';
import { indexEntries } from '../../../lambdas/core/content/index-entry.ts';
import type { StoredPage } from '../../../lambdas/core/content/stored-page.ts';
import { activeSpace, claimSpace, moveSpace, type Space } from '../../../lambdas/core/index-space/active-space.ts';
import { movingIndex, type SpaceSide } from '../../../lambdas/core/index-space/moving-index.ts';
import { rebuildSite } from '../../../lambdas/core/index-space/rebuild-site.ts';
import { queryTerms } from '../../../lambdas/core/language/query-terms.ts';
import { pageKey, type RegisteredPage } from '../../../lambdas/core/sites/page-registry.ts';
import { newScope } from '../../support/index-entries.ts';
import { openLocalStore } from '../../support/local-store.ts';

const { OPENSEARCH_URL: url = '' } = process.env;
const PAGES = 60;
const DIMENSIONS = 128;

/** Another space: the vectors of the table folded to a third of their length. */
function foldedEmbedder(): Embedder {
  const builtin = builtinEmbedder();
  const folded = (vector: Float32Array): Float32Array => {
    const sums = new Float32Array(DIMENSIONS);
    for (const [place, number] of vector.entries()) sums[place % DIMENSIONS] = (sums[place % DIMENSIONS] ?? 0) + number;
    const length = Math.hypot(...sums);
    return sums.map((number) => number / length);
  };
  return {
    space: `folded-${randomUUID()}`,
    dimensions: DIMENSIONS,
    embedTexts: async (texts) =>
      (await builtin.embedTexts(texts)).map(
        (embedded) => embedded && { vector: folded(embedded.vector), block: 'model' as const },
      ),
    async embedQuery(query, deadlineMs) {
      const vector = await builtin.embedQuery(query, deadlineMs);
      return vector && folded(vector);
    },
  };
}

const describeOnEngine = url === '' ? describe.skip : describe;

describeOnEngine('A move to another embedding space', () => {
  const engine = openSearch(url === '' ? 'http://127.0.0.1:1' : url);
  const scope: SiteScope = newScope();
  const sides: SpaceSide[] = [];
  let closeStore: () => Promise<void>;

  const side = async (embedder: Embedder): Promise<SpaceSide> => {
    await ensureIndex(engine, embedder);
    const made = { index: opensearchPageIndex(engine, embedder), embedder };
    sides.push(made);
    return made;
  };

  beforeAll(async () => {
    closeStore = await openLocalStore();
  });
  afterAll(async () => {
    for (const { embedder } of sides) await engine.send({ method: 'DELETE', path: `/${indexName(embedder)}-0` });
    engine.close();
    await closeStore();
  });

  const content = (n: number, word: string): StoredPage => ({
    url: `https://example.org/${n}`,
    title: `Page ${n}`,
    tags: [],
    links: [],
    noindex: false,
    nofollow: false,
    blocks: [{ kind: 'text', text: `The gopher of page ${n} digs a burrow near the river, says the ${word} text.` }],
  });

  /** As a page's writer does it: text, registry, index. */
  async function writePage(n: number, revision: number, word: string, { index, embedder }: SpaceSide): Promise<void> {
    const page = content(n, word);
    const address = { ...scope, urlHash: `hash-${n}`, revision };
    const row = {
      url: page.url,
      urlHash: address.urlHash,
      revision,
      title: page.title,
      crawledAt: '2026-01-01T00:00:00.000Z',
    };
    await pageStore.put([{ address, page }]);
    await table.putMany([{ ...pageKey(scope.siteId, scope.generation, row), ...row }]);
    const entries = await indexEntries([{ ...scope, row: row as RegisteredPage, content: page }], embedder);
    await index.put(entries, { visible: 'soon' });
  }

  async function search({ index, embedder }: SpaceSide, query: string, by: 'words' | 'vector' | 'both') {
    const vector = by === 'words' ? undefined : await embedder.embedQuery(query, 800);
    const terms = by === 'vector' ? [] : queryTerms(query, ['en']);
    const asked = { terms, vector, filters: [], phrases: [], without: [], groups: [], size: 100 };
    const { pages } = await index.candidates({ scopes: [scope], ...asked });
    const refs = pages.slice(0, 5).flatMap(({ chunks, ...page }) => chunks.map(({ ord }) => ({ ...page, ord })));
    const texts = await index.passages(refs);
    return { pages, cosines: pages.flatMap(({ chunks }) => chunks.map(({ cosine }) => cosine)), texts };
  }

  const urlsIn = async (index: PageIndex) =>
    (await index.find(scope, { text: '', limit: 1000 })).items.map((page) => page.url);

  it('loses no page and leaves no search without an answer', async () => {
    const [from, to] = [
      await side({ ...builtinEmbedder(), space: `table-${randomUUID()}` }),
      await side(foldedEmbedder()),
    ];
    const [old, next]: [Space, Space] = [from.embedder, to.embedder];
    expect(await claimSpace(old, table)).toEqual(expect.objectContaining({ space: old.space }));
    expect((await claimSpace(next, table)).space).toBe(old.space);
    for (let n = 0; n < PAGES; n++) await writePage(n, 1, 'first', from);
    await engine.send({ method: 'POST', path: `/${indexName(old)}/_refresh` });

    const searched = async () => ((await activeSpace(table))?.space === next.space ? to : from);
    const { pageIndex: index, embedder } = movingIndex({ from, to, searched });
    const moving = { index, embedder };

    let ended = false;
    let searches = 0;
    const searching = (async () => {
      while (!ended) {
        for (const by of ['words', 'vector', 'both'] as const) {
          const { pages, cosines, texts } = await search(moving, 'where does the gopher dig', by);
          expect(pages.length).toBeGreaterThanOrEqual(PAGES - 2);
          expect(texts.filter((passage) => passage?.text.includes('gopher')).length).toBeGreaterThan(0);
          if (by !== 'words') expect(cosines).not.toContain(undefined);
          searches++;
        }
      }
    })();

    const writing = (async () => {
      for (const n of [3, 30, 57]) await writePage(n, 2, 'second', moving);
      const gone = { url: content(40, '').url, urlHash: 'hash-40' };
      await index.remove([{ ...scope, urlHash: gone.urlHash, revision: 1 }], { visible: 'now' });
      await table.removeMany([pageKey(scope.siteId, scope.generation, gone)]);
      await writePage(1000, 3, 'third', moving);
    })();
    let after: Parameters<typeof rebuildSite>[1];
    const deps = { table, pageStore, pageIndex: to.index, embedder: to.embedder, clock: Date.now };
    do after = await rebuildSite(scope, after, 0, deps);
    while (after !== undefined);
    await writing;
    await engine.send({ method: 'POST', path: `/${indexName(next)}/_refresh` });
    expect(await moveSpace(old, next, table)).toBe(true);
    const before = searches;
    while (searches < before + 6) await Promise.race([searching, new Promise((resolve) => setTimeout(resolve, 20))]);
    ended = true;
    await searching;

    expect(await moveSpace(old, next, table)).toBe(true);
    expect(await moveSpace({ space: 'other', dimensions: 1 }, old, table)).toBe(false);
    const numbers = [...Array(PAGES).keys(), 1000].filter((n) => n !== 40);
    expect(await urlsIn(to.index)).toEqual(numbers.map((n) => content(n, '').url).toSorted());
    const { texts } = await search(to, 'second', 'words');
    expect(texts.map((passage) => passage?.revision)).toEqual([2, 2, 2]);
  });
});
