import { describe, expect, it } from '@jest/globals';
import { addTurn } from '../../../../lambdas/domain/answers/session.ts';
import { setSchedule } from '../../../../lambdas/domain/crawl/schedules/manage-schedules.ts';
import { checkHealth } from '../../../../lambdas/domain/insight/health/check-health.ts';
import { cleanUpSite, tombstoneKey } from '../../../../lambdas/domain/pages/removal/clean-up.ts';
import { deleteSite } from '../../../../lambdas/domain/pages/removal/delete-site.ts';
import { replaceCrawlUrls } from '../../../../lambdas/domain/sites/crawl-urls.ts';
import { fanOutEvents } from '../../../../lambdas/domain/webhooks/fan-out.ts';
import { newId } from '../../../../lambdas/runtime/system.ts';
import { crawlHere, embedder, newSite } from '../../../support/crawl-here.ts';
import { eventLog, pageIndex, pageStore, queue, timetable } from '../../../support/memory/stores.ts';
import { memoryTable, TableState } from '../../../support/memory/table.ts';
import { memorySite } from '../../../support/memory/web.ts';
import { htmlPage } from '../../../support/web-site.ts';

const PAGES = ['/anchor', '/bell'];

describe('a deleted site', () => {
  it('leaves no item, also if its health is being checked meanwhile', async () => {
    const state = new TableState();
    const table = memoryTable(state);
    const web = memorySite({
      '/': htmlPage('Start', 'Where it starts.', PAGES),
      ...Object.fromEntries(PAGES.map((path) => [path, htmlPage(path, `All about ${path}.`)])),
    });
    const site = await newSite(web.origin, table);
    const { siteId, orgId } = site;
    const caller = { orgId, keyId: '', role: 'owner', plan: 'enterprise' } as const;
    const deps = { table, pageStore, pageIndex, eventLog, queue, timetable };
    let now = Date.now();
    const clock = () => now;

    await crawlHere(site, { table });
    await fanOutEvents(siteId, { table, queue });
    await setSchedule({ siteId, frequency: 'daily' }, caller, { table, timetable, clock, newId });
    const checkAddress = async () => 'crawlable' as const;
    await replaceCrawlUrls(siteId, [`${web.origin}/bell`], caller, { table, checkAddress, newId });
    const publicAccess = { sessionTTLMinutes: 30 };
    const scope = { key: `SITE#${siteId}`, publicAccess } as unknown as Parameters<typeof addTurn>[2];
    const turn = { question: 'What?', standalone: 'What?', answer: 'That.' };
    await addTurn({ sessionId: newId(), turns: [] }, turn, scope, { table, clock });
    const { job } = await crawlHere(site, { table, overrides: { singleUrls: [`${web.origin}/anchor`] } });

    const [reads, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slowStore: typeof pageStore = {
      ...pageStore,
      async get(addresses) {
        reads.resolve();
        await goesOn.promise;
        return pageStore.get(addresses);
      },
    };
    const checked = checkHealth(
      { siteId, jobId: job.jobId },
      { table, pageStore: slowStore, index: pageIndex, embedder, clock },
    );
    await reads.promise;
    await deleteSite(siteId, caller, { table, queue, clock });
    for (let step = 0; (await table.get(tombstoneKey(siteId))) !== undefined; step++) {
      await cleanUpSite({ siteId, step }, { ...deps, clock });
      now += 151_000;
    }
    await fanOutEvents(siteId, { table, queue }); // the worker of the event of the last crawl
    goesOn.resolve();
    await checked;
    const left = state.partitions.flatMap((pk) => state.under(pk));
    const named = [siteId, job.jobId].map((id) => left.filter((item) => JSON.stringify(item).includes(id)));
    expect(named).toEqual([[], []]);
  });
});
