import { beforeEach, describe, expect, it } from '@jest/globals';
import { readJob } from '../../../../lambdas/domain/crawl/jobs/job.ts';
import { startCrawl } from '../../../../lambdas/domain/crawl/jobs/start-crawl.ts';
import { UnavailableError } from '../../../../lambdas/domain/errors.ts';
import {
  cleanUpSite,
  purgeKey,
  resendCleanUps,
  tombstoneKey,
} from '../../../../lambdas/domain/pages/removal/clean-up.ts';
import { deleteSite } from '../../../../lambdas/domain/pages/removal/delete-site.ts';
import { purgeSite } from '../../../../lambdas/domain/pages/removal/purge-site.ts';
import { siteStatus } from '../../../../lambdas/domain/sites/site-status.ts';
import { newId } from '../../../../lambdas/runtime/system.ts';
import { IngestSite, textPage } from '../../../support/ingest-site.ts';
import { eventLog, pageIndex, pageStore, queue, table, timetable } from '../../../support/memory/stores.ts';

const PAGES = ['/anchor', '/bell', '/compass'].map((path) => textPage(path, `About ${path}.`, { key: path }));
const STRAGGLERS_MS = 150_000;

describe('purging a site', () => {
  let site: IngestSite;
  let now: number;
  const clock = () => now;

  beforeEach(async () => {
    now = Date.now();
    site = await IngestSite.open();
    await site.ingest(PAGES);
  });

  const purge = (over: Partial<{ table: typeof table; queue: typeof queue }> = {}) =>
    purgeSite(site.siteId, site, { table, queue, clock, ...over });
  const cleanUpDeps = () => ({ table, pageStore, pageIndex, eventLog, queue, timetable, clock });
  const stepNow = async () => {
    const { siteId } = site;
    const tombstones = await table.getMany<{ step?: number }>([tombstoneKey(siteId), purgeKey(siteId)]);
    return tombstones.find((tombstone) => tombstone !== undefined)?.step;
  };
  const cleanUp = async () => cleanUpSite({ siteId: site.siteId, step: await stepNow() }, cleanUpDeps());
  const itemsOfPages = async () => (await table.query(`SITE#${site.siteId}`, { prefix: 'G#', limit: 1000 })).items;
  const indexed = async (generation: number) =>
    (await pageIndex.find({ siteId: site.siteId, generation }, { text: '', limit: 100 })).items;

  it('removes all pages at once, answers their number, and 0 the second time', async () => {
    expect(await purge()).toBe(PAGES.length);
    expect(await site.settled()).toEqual([]);
    const { state } = await site.record();
    expect(state).toMatchObject({ generation: 2, pageCount: 0, languages: [] });
    expect(siteStatus(state)).toBe('pending');
    expect(await purge()).toBe(0);
  });

  it('lets pages be ingested again, which the clean-up of the earlier ones leaves', async () => {
    const rows = await site.settled();
    await purge();
    await site.ingest(PAGES.slice(1));
    expect(await indexed(1)).toHaveLength(PAGES.length);
    await cleanUp();
    expect(await site.settled()).toHaveLength(2);
    expect(await indexed(1)).toEqual([]);
    const addresses = rows.map(({ urlHash, revision }) => ({ siteId: site.siteId, generation: 1, urlHash, revision }));
    expect(await pageStore.get(addresses)).toEqual(rows.map(() => undefined));
    expect((await itemsOfPages()).filter(({ sk }) => sk.startsWith('G#00000001#'))).toEqual([]);
  });

  it('a purge is cleaned up again when no writer can be left, and its record is then removed', async () => {
    await purge();
    await cleanUp();
    expect(await table.get(purgeKey(site.siteId))).toBeDefined();
    now += STRAGGLERS_MS;
    await cleanUp();
    expect(await table.get(purgeKey(site.siteId))).toBeUndefined();
    await cleanUp();
    expect(await site.settled()).toEqual([]);
  });

  it('the record of a purge is removed in time if the system time was set back', async () => {
    await purge();
    now -= 86_400_000;
    await resendCleanUps({ table, queue, clock });
    expect(await queue.receive('clean-up', { max: 10, waitSeconds: 0 })).not.toEqual([]);
    await cleanUp();
    now += STRAGGLERS_MS;
    await cleanUp();
    expect(await table.get(purgeKey(site.siteId))).toBeUndefined();
  });

  it('a purge does not make the start of a crawl fail', async () => {
    let purges = 0;
    const purging: typeof table = {
      ...table,
      async write(changes) {
        if (purges++ === 0) await purge();
        return table.write(changes);
      },
    };
    const start = { siteId: site.siteId, overrides: {} };
    const { jobId } = await startCrawl(
      start,
      { orgId: site.orgId, plan: 'pro' },
      { table: purging, queue, clock, newId },
    );
    expect((await site.record()).state).toMatchObject({ generation: 2, runningJobId: jobId });
    expect(await readJob(jobId, table)).toMatchObject({ generation: 2, status: 'pending' });
  });

  it('the record of a purge stays while a later purge has to be cleaned up', async () => {
    await purge();
    now += STRAGGLERS_MS;
    const purging: typeof table = {
      ...table,
      async write(changes) {
        await purge();
        return table.write(changes);
      },
    };
    await cleanUpSite({ siteId: site.siteId }, { ...cleanUpDeps(), table: purging });
    const { generation } = (await site.record()).state;
    expect(generation).toBeGreaterThan(2);
    expect(await table.get(purgeKey(site.siteId))).toMatchObject({ generation });
  });

  it('a purge counts exactly while pages are ingested, none of which gets into the new generation unseen', async () => {
    const more = Array.from({ length: 40 }, (_, i) => textPage(`/more/${i}`, `More of ${i}.`));
    const ingesting = site.ingest(more);
    const counts = [await purge()];
    const { results } = await ingesting;
    counts.push(await purge());
    const written = results.filter(({ status }) => status === 'success').length;
    const failed = results.filter(({ error }) => error?.includes('purged'));
    expect(written + failed.length).toBe(more.length);
    expect(counts.reduce((sum, n) => sum + n, 0)).toBe(PAGES.length + written);
    expect(await site.settled()).toEqual([]);
  });

  it('the clean-up of a purge is sent again if its message was lost', async () => {
    const lost = { ...queue, send: () => Promise.reject(new UnavailableError('down')) };
    expect(await purge({ queue: lost })).toBe(PAGES.length);
    const sent: string[] = [];
    const watched: typeof queue = {
      ...queue,
      send: async (_, { body }) => void sent.push(body),
    };
    const isSent = () => sent.includes(JSON.stringify({ siteId: site.siteId, step: 0 }));
    await resendCleanUps({ table, queue: watched, clock });
    expect(isSent()).toBe(false);
    now += 2 * STRAGGLERS_MS + 1000;
    await resendCleanUps({ table, queue: watched, clock });
    expect(isSent()).toBe(true);

    sent.length = 0;
    await resendCleanUps({ table, queue: watched, clock }); // a minute later that message may still wait
    expect(isSent()).toBe(false);
  });

  it('the clean-up of a purge continues by one message, even if its message was sent again', async () => {
    await purge();
    const sent: string[] = [];
    const watched: typeof queue = { ...queue, send: async (_, { body }) => void sent.push(body) };
    const run = (step?: number) => cleanUpSite({ siteId: site.siteId, step }, { ...cleanUpDeps(), queue: watched });
    await Promise.all([run(), run(0)]);
    expect(sent).toEqual([JSON.stringify({ siteId: site.siteId, step: 1 })]);
    await run(0);
    expect(sent).toHaveLength(1);
    now += STRAGGLERS_MS;
    await run(1);
    expect(await table.get(purgeKey(site.siteId))).toBeUndefined();
  });

  it('a purge leaves nothing behind when the site is deleted afterwards', async () => {
    await purge();
    await deleteSite(
      site.siteId,
      { orgId: site.orgId, keyId: '', role: 'owner', plan: 'pro' },
      { table, queue, clock },
    );
    now += STRAGGLERS_MS;
    await cleanUp();
    expect(await table.getMany([purgeKey(site.siteId), tombstoneKey(site.siteId)])).toEqual([undefined, undefined]);
    expect(await itemsOfPages()).toEqual([]);
    expect(await indexed(1)).toEqual([]);
  });

  it("refuses another organisation's site", async () => {
    const other = { orgId: '01890000-0000-7000-8000-000000000000' };
    await expect(purgeSite(site.siteId, other, { table, queue, clock })).rejects.toMatchObject({ code: 'not_found' });
    expect(await site.settled()).toHaveLength(PAGES.length);
  });
});
