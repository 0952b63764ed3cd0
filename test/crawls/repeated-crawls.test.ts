import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventLog } from '#adapters/event-log';
import { pageIndex } from '#adapters/page-index';
import { pageStore } from '#adapters/page-store';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { timetable } from '#adapters/timetable';
import { cleanUpSite } from '../../lambdas/domain/pages/removal/clean-up.ts';
import { crawlHere, newSite } from '../support/crawl-here.ts';
import { openLocalStore } from '../support/local-store.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';
import { overHttp } from './over-http.ts';

const PAGES = Array.from({ length: 20 }, (_, index) => `/page-${index}`);
/** Jobs whose URLs are listed. */
const LISTED = 10;

describe('many crawls of unchanged pages', () => {
  let close: () => Promise<void>;
  let web: WebSite;

  beforeAll(async () => {
    close = await openLocalStore();
    const pages = PAGES.map((path) => [path, htmlPage(path, `Something about ${path} alone.`)] as const);
    web = await webSite({ '/': htmlPage('Start', 'Where everything begins.', PAGES), ...Object.fromEntries(pages) });
  });
  afterAll(async () => {
    await close();
    await web.close();
  });

  it('many crawls leave as many rows and texts as ten, and one row for each older job', async () => {
    const site = await newSite(web.origin, table);
    const { siteId } = site;
    const crawl = async (): Promise<string> => {
      const { job } = await crawlHere(site, { table, queue, pageStore, pageIndex, ...overHttp });
      const deps = { table, pageStore, pageIndex, eventLog, queue, timetable, clock: Date.now };
      await cleanUpSite({ siteId }, deps);
      return job.jobId;
    };
    const rowsOf = async (pk: string) => (await table.query(pk, { limit: 1000 })).items.length;
    const jobs: string[] = [];
    for (let count = 0; count < LISTED; count++) jobs.push(await crawl());
    const atTen = await rowsOf(`SITE#${siteId}`);
    for (let count = 0; count < 8; count++) jobs.push(await crawl());
    expect((await rowsOf(`SITE#${siteId}`)) - atTen).toBe(8);
    const rows = await Promise.all(jobs.map((jobId) => rowsOf(`JOB#${jobId}`)));
    expect(rows.slice(0, -LISTED)).toEqual(rows.slice(0, -LISTED).map(() => 1));
    expect((await pageStore.list({ siteId, generation: 1 }, { limit: 1000 })).items).toHaveLength(PAGES.length + 1);
  }, 60_000);
});
