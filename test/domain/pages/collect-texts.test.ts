import { beforeEach, describe, expect, it } from '@jest/globals';
import { collectTexts, hasUncollectedTexts } from '../../../lambdas/domain/pages/collect-texts.ts';
import type { Embedder } from '../../../lambdas/domain/ports/embedder.ts';
import type { PageAddress, PageStore } from '../../../lambdas/domain/ports/page-store.ts';
import { stateKey } from '../../../lambdas/domain/sites/site.ts';
import { embedder as builtin, crawlHere, newSite } from '../../support/crawl-here.ts';
import { IngestSite, textPage } from '../../support/ingest-site.ts';
import { pageStore, table } from '../../support/memory/stores.ts';
import { memorySite } from '../../support/memory/web.ts';
import { htmlPage } from '../../support/web-site.ts';

const PATHS = ['/anchor', '/bell', '/compass'];
const LATE = 0;

const clock = Date.now;
const sweep = (siteId: string, deadline = clock() + 1000) =>
  collectTexts(siteId, deadline, { table, pageStore, clock });
const textsOf = async (siteId: string) => (await pageStore.list({ siteId, generation: 1 }, { limit: 1000 })).items;

describe('texts that no row names', () => {
  let site: IngestSite;

  beforeEach(async () => {
    site = await IngestSite.open();
    await site.ingest(PATHS.map((path) => textPage(path, `All about ${path}.`)));
  });

  /** Stores a text like a writer that dies before it registers the page. */
  async function leave(): Promise<PageAddress> {
    const [row] = await site.rows();
    if (!row) throw new Error('no page');
    const scope = { siteId: site.siteId, generation: 1 };
    const [page] = await pageStore.get([{ ...scope, urlHash: row.urlHash, revision: row.revision }]);
    const state = await table.update<{ revision: number }>(stateKey(site.siteId), { add: { revision: 1 } });
    if (!page || !state) throw new Error('no text');
    const address = { ...scope, urlHash: row.urlHash, revision: state.revision };
    await pageStore.put([{ address, page }]);
    return address;
  }

  it('texts without a row are removed at once, and those of pages stay', async () => {
    const unused = await leave();
    expect(await hasUncollectedTexts(site.siteId, table)).toBe(true);
    expect(await textsOf(site.siteId)).toContainEqual(unused);
    expect(await sweep(site.siteId)).toBe(true);
    expect(await textsOf(site.siteId)).toHaveLength(PATHS.length);
    expect(await hasUncollectedTexts(site.siteId, table)).toBe(false);
    await site.settled();
  });

  it('texts without a row are removed by the next call if time runs out', async () => {
    const paged: PageStore = { ...pageStore, list: (scope, query) => pageStore.list(scope, { ...query, limit: 1 }) };
    await leave();
    const results: boolean[] = [];
    while (results.at(-1) !== true)
      results.push(await collectTexts(site.siteId, LATE, { table, pageStore: paged, clock }));
    expect(results.length).toBeGreaterThan(PATHS.length);
    expect(await textsOf(site.siteId)).toHaveLength(PATHS.length);
  });

  it('a removed text is written again by a writer that was about to register its page', async () => {
    let sweeps = 0;
    const swept: PageStore = {
      ...pageStore,
      async put(pages) {
        await pageStore.put(pages);
        if (sweeps++ === 0) await sweep(site.siteId);
      },
    };
    const pages = ['/deck', '/engine'].map((path) => textPage(path, `All about ${path}.`));
    const { results } = await site.ingest(pages, { pageStore: swept });
    expect(results).toMatchObject([{ status: 'success' }, { status: 'success' }]);
    expect(await site.settled()).toHaveLength(PATHS.length + 2);
    expect(await textsOf(site.siteId)).toHaveLength(PATHS.length + 2);
  });

  it('a sweep of texts costs a crawl that has reserved revisions no page and no second embedding', async () => {
    const paths = Array.from({ length: 30 }, (_, index) => `/page-${index}`);
    const web = memorySite({
      '/': htmlPage('Start', 'Where everything begins.', paths),
      ...Object.fromEntries(paths.map((path) => [path, htmlPage(path, `Something about ${path} alone.`)])),
    });
    const owned = await newSite(web.origin);
    let embedded = 0;
    const embedder: Embedder = {
      ...builtin,
      async embedTexts(texts) {
        embedded += texts.length;
        await sweep(owned.siteId);
        return builtin.embedTexts(texts);
      },
    };
    const { job } = await crawlHere(owned, { embedder });
    expect(job).toMatchObject({ status: 'completed', indexed: paths.length + 1 });
    expect(embedded).toBe(paths.length + 1);
    expect(await textsOf(owned.siteId)).toHaveLength(paths.length + 1);
  });
});
