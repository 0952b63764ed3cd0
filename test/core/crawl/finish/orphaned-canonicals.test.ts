import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { table } from '#adapters/table';
import { requeueOrphans } from '../../../../lambdas/core/crawl/finish/orphaned-canonicals.ts';
import { Frontier } from '../../../../lambdas/core/crawl/frontier/frontier.ts';
import { type Ending, finishChanges } from '../../../../lambdas/core/crawl/frontier/frontier-rows.ts';
import { urlFilter } from '../../../../lambdas/core/crawl/frontier/url-filter.ts';
import type { Slice } from '../../../../lambdas/core/crawl/job/slice.ts';
import { claimedSlice } from '../../../support/crawl-here.ts';
import { openLocalStore } from '../../../support/local-store.ts';

const ORIGIN = 'https://site.example';
const [LEFT, NAMED] = [`${ORIGIN}/left`, `${ORIGIN}/named`] as const;

describe('a page that was left to the one that it names as canonical', () => {
  let close: () => Promise<void>;
  let slice: Slice;
  let frontier: Frontier;

  beforeAll(async () => {
    close = await openLocalStore();
  });
  afterAll(() => close());
  beforeEach(async () => {
    slice = await claimedSlice(ORIGIN);
    frontier = await Frontier.open(slice, urlFilter(slice.job));
    await frontier.add([LEFT, NAMED].map((url) => ({ url, depth: 0 })));
    await end(LEFT, { outcome: 'skipped', reason: 'canonical', target: NAMED });
  });

  async function end(url: string, ending: Ending): Promise<void> {
    const queued = (await frontier.shallowest(10)).find((other) => other.url === url);
    if (!queued) throw new Error(`${url} is not queued`);
    expect(await table.write(finishChanges(slice.job.jobId, queued, ending))).toEqual([]);
  }

  async function queuedAfterwards(): Promise<readonly string[]> {
    await requeueOrphans(slice, frontier);
    return (await frontier.shallowest(10)).map(({ url }) => url).filter((url) => url !== `${ORIGIN}/`);
  }

  it('waits while that one is queued', async () => {
    expect(await queuedAfterwards()).toEqual([NAMED]);
  });

  it('stays so when that one is held', async () => {
    await end(NAMED, { outcome: 'indexed' });
    expect(await queuedAfterwards()).toEqual([]);
  });

  it('is asked for once more when that one is gone', async () => {
    await end(NAMED, { outcome: 'gone', reason: '404' });
    expect(await queuedAfterwards()).toEqual([LEFT]);
  });
});
