import { beforeAll, describe, expect, it } from '@jest/globals';
import { analytics } from '../../../lambdas/domain/analytics/analytics.ts';
import { contentGaps } from '../../../lambdas/domain/analytics/content-gaps.ts';
import { searchEvent } from '../../../lambdas/domain/analytics/new-events.ts';
import { siteTopQueries, siteUsage } from '../../../lambdas/domain/analytics/site-figures.ts';
import { UnavailableError } from '../../../lambdas/domain/errors.ts';
import type { Embedder } from '../../../lambdas/domain/ports/embedder.ts';
import type { EventLog } from '../../../lambdas/domain/ports/event-log.ts';
import { monthUsage } from '../../../lambdas/domain/sites/usage/month-usage.ts';
import { newId } from '../../../lambdas/runtime/system.ts';
import { newSite } from '../../support/crawl-here.ts';
import { eventLog, table } from '../../support/memory/stores.ts';

const away = async () => {
  throw new UnavailableError('away');
};
const awayLog: EventLog = { ...eventLog, days: away, sites: away, queries: away };
const clock = Date.now;
const deps = { table, eventLog: awayLog, clock };
const range = '7d';

describe('while the event log is away', () => {
  let site: { readonly siteId: string; readonly orgId: string };
  beforeAll(async () => {
    site = await newSite('https://www.example/');
    await eventLog.append([searchEvent(site, { query: 'a', results: 0, visitor: undefined }, { clock, newId })]);
  });

  it('the usage of a site is 0 on every day, and the fault is reported', async () => {
    const reported: unknown[] = [];
    const report = (_: string, error: unknown) => void reported.push(error);
    const usage = await siteUsage(site.siteId, range, site, { ...deps, report });
    expect(usage).toMatchObject({ siteId: site.siteId, range, searches: 0, chats: 0, totalTokens: 0 });
    expect(usage.daily.map(({ searches, chats }) => [searches, chats])).toEqual(
      Array.from({ length: 7 }, () => [0, 0]),
    );
    expect(reported).toHaveLength(1);
    await expect(siteUsage(newId(), range, site, { ...deps, report })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('the usage of a month fails with a separate error', async () => {
    await expect(monthUsage('2026-11', site, deps)).rejects.toMatchObject({ code: 'usage_unavailable' });
  });

  it('other analytics are unavailable', async () => {
    await expect(analytics({ range }, site, deps)).rejects.toThrow(UnavailableError);
    await expect(siteTopQueries(site.siteId, { range, limit: 5 }, site, deps)).rejects.toThrow(UnavailableError);
  });

  it('content gaps need no embedder', async () => {
    const embedder: Embedder = { space: 's', dimensions: 1, embedTexts: away, embedQuery: away };
    const { gaps } = await contentGaps(site.siteId, { range, limit: 5 }, site, { ...deps, eventLog, embedder });
    expect(gaps).toMatchObject([{ query: 'a', count: 1, queries: 1 }]);
  });
});
