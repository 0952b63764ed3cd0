import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pageStore } from '#adapters/page-store';
import { table } from '#adapters/table';
import { sweepTexts } from '../../../lambdas/core/pages/sweep-texts.ts';
import type { PageAddress } from '../../../lambdas/core/ports/page-store.ts';
import { IngestSite, textPage } from '../../support/ingest-site.ts';
import { openLocalStore } from '../../support/local-store.ts';

const PATHS = ['/anchor', '/bell', '/compass'];
const QUIET_MS = 150_000;

describe('texts that no row names', () => {
  let close: () => Promise<void>;
  let site: IngestSite;
  let now = Date.now();
  const clock = () => now;

  beforeAll(async () => {
    close = await openLocalStore();
  });
  afterAll(() => close());
  beforeEach(async () => {
    site = await IngestSite.open();
    await site.ingest(PATHS.map((path) => textPage(path, `All about ${path}.`)));
  });

  const scope = () => ({ siteId: site.siteId, generation: 1 });
  const texts = async () => (await pageStore.list(scope(), { limit: 100 })).items;
  const sweep = () => sweepTexts(site.siteId, { deadline: now + 1000 }, { table, pageStore, clock });
  /** As a writer leaves it that dies before it registers a page. */
  async function leave(revision: number): Promise<PageAddress> {
    const [row] = await site.rows();
    if (!row) throw new Error('no page');
    const [page] = await pageStore.get([{ ...scope(), urlHash: row.urlHash, revision: row.revision }]);
    if (!page) throw new Error('no text');
    const address = { ...scope(), urlHash: row.urlHash, revision };
    await pageStore.put([{ address, page }]);
    return address;
  }

  it('are removed once no writer can be about to name them', async () => {
    await site.ingest([textPage('/deck', 'All about the deck.')]);
    const { revision } = (await site.record()).state;
    await leave(revision - 1);
    expect(await texts()).toHaveLength(PATHS.length + 2);
    await sweep();
    now += QUIET_MS - 1000;
    await sweep();
    expect(await texts()).toHaveLength(PATHS.length + 2);
    const later = await leave(revision + 1);
    now += 1000;
    await sweep();
    expect(await texts()).toHaveLength(PATHS.length + 2);
    expect(await texts()).toContainEqual(later);
    await site.settled();
  });
});
