import { beforeEach, describe, expect, it } from '@jest/globals';
import { requeueOrphans } from '../../../../lambdas/domain/crawl/commit/requeue-orphans.ts';
import { Frontier } from '../../../../lambdas/domain/crawl/frontier/frontier.ts';
import { urlFilter } from '../../../../lambdas/domain/crawl/frontier/url-filter.ts';
import type { Slice } from '../../../../lambdas/domain/crawl/jobs/slice.ts';
import { type Ending, finishChanges } from '../../../../lambdas/domain/crawl/jobs/url-rows.ts';
import { claimedSlice } from '../../../support/crawl-here.ts';
import { table } from '../../../support/memory/stores.ts';

const ORIGIN = 'https://site.example';
const [SKIPPED, CANONICAL] = [`${ORIGIN}/skipped`, `${ORIGIN}/canonical`] as const;

describe('a page that was skipped because of its canonical', () => {
  let slice: Slice;
  let frontier: Frontier;

  beforeEach(async () => {
    slice = await claimedSlice(ORIGIN);
    frontier = await Frontier.open(slice, urlFilter(slice.job));
    await frontier.add([SKIPPED, CANONICAL].map((url) => ({ url, depth: 0 })));
    await end(SKIPPED, { outcome: 'skipped', reason: 'canonical', target: CANONICAL });
  });

  async function end(url: string, ending: Ending): Promise<void> {
    const queued = (await frontier.shallowest(10)).find((other) => other.url === url);
    if (!queued) throw new Error(`${url} is not queued`);
    expect(await table.write(finishChanges(slice.job.jobId, queued, ending))).toEqual([]);
    frontier.dequeued(queued);
  }

  async function queuedAfterRequeueing(): Promise<readonly string[]> {
    await requeueOrphans(slice, frontier, { orphans: [], better: [] });
    return (await frontier.shallowest(10)).map(({ url }) => url).filter((url) => url !== `${ORIGIN}/`);
  }

  it('waits while the canonical is queued', async () => {
    expect(await queuedAfterRequeueing()).toEqual([CANONICAL]);
  });

  it('stays skipped when the canonical is indexed', async () => {
    await end(CANONICAL, { outcome: 'indexed' });
    expect(await queuedAfterRequeueing()).toEqual([]);
  });

  it('is queued again when the canonical is gone', async () => {
    await end(CANONICAL, { outcome: 'gone', reason: '404' });
    expect(await queuedAfterRequeueing()).toEqual([SKIPPED]);
  });
});
