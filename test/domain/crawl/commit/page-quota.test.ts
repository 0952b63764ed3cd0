import { beforeAll, describe, expect, it } from '@jest/globals';
import { jobView } from '../../../../lambdas/domain/crawl/jobs/job-view.ts';
import { QUOTAS } from '../../../../lambdas/domain/sites/access/plan.ts';
import { type SiteState, stateKey } from '../../../../lambdas/domain/sites/site.ts';
import { embedder as builtin, type Crawled, crawlHere, newSite } from '../../../support/crawl-here.ts';
import { table } from '../../../support/memory/stores.ts';
import { type MemorySite, memorySite } from '../../../support/memory/web.ts';
import { htmlPage } from '../../../support/web-site.ts';

const QUOTA = QUOTAS.enterprise.pagesPerSite;
const NAMES = Array.from({ length: 30 }, (_, n) => `/page-${n}`);

describe('a crawl of a site that is nearly full', () => {
  let web: MemorySite;
  let siteId: string;
  let site: Awaited<ReturnType<typeof newSite>>;

  beforeAll(async () => {
    web = memorySite(Object.fromEntries(NAMES.map((name) => [name, htmlPage(name, `All about ${name}.`)])));
    web.pages.set('/', htmlPage('Start', 'Where it starts.', NAMES));
    site = await newSite(`${web.origin}/`);
    siteId = site.siteId;
    await leave(2);
  });

  const leave = (room: number) => table.update(stateKey(siteId), { set: { pageCount: QUOTA - room } });
  const pageCount = async () => (await table.get<SiteState>(stateKey(siteId)))?.pageCount;
  const counts = ({ ends }: Crawled) =>
    Object.fromEntries([...Map.groupBy(Object.values(ends), (end) => end)].map(([end, all]) => [end, all.length]));

  it('a dry run plans all pages of a site that is nearly full', async () => {
    const { job } = await crawlHere(site, { dryRun: true });
    expect(job).toMatchObject({ status: 'completed', added: 31 });
  });

  it('a crawl stops adding pages at the quota of the plan, and reports it', async () => {
    const crawled = await crawlHere(site);
    expect(counts(crawled)).toEqual({ 'indexed 200': 2, 'skipped over_limit 200': 29 });
    expect(await pageCount()).toBe(QUOTA);
    expect(jobView(crawled.job)).toMatchObject({
      status: 'completed',
      endReason: 'limit',
      pagesProcessed: 2,
      pagesSkipped: 29,
      error:
        `New pages were left out. The plan includes ${QUOTA} pages per site, and this site has ` +
        `${QUOTA}. Delete pages or change the plan.`,
    });
  });

  it('a crawl of a full site updates its pages, and embeds none of those that are left out', async () => {
    web.pages.set('/', htmlPage('Start', 'It starts elsewhere now.', NAMES));
    const texts: string[] = [];
    const embedTexts: typeof builtin.embedTexts = (given) => {
      texts.push(...given.map(({ text }) => text));
      return builtin.embedTexts(given);
    };
    const crawled = await crawlHere(site, { embedder: { ...builtin, embedTexts } });
    expect(counts(crawled)).toEqual({ 'indexed 200': 1, 'unchanged 200': 1, 'skipped over_limit 200': 29 });
    expect(texts.filter((text) => !text.startsWith('Start\n'))).toEqual([]);
    expect(texts.length).toBeLessThan(20);
    expect(await pageCount()).toBe(QUOTA);
  });

  it('a crawl adds pages again when there is room', async () => {
    await leave(3);
    expect(counts(await crawlHere(site))).toEqual({
      'unchanged 200': 2,
      'indexed 200': 3,
      'skipped over_limit 200': 26,
    });
    await leave(1000);
    const crawled = await crawlHere(site);
    expect(counts(crawled)).toEqual({ 'unchanged 200': 5, 'indexed 200': 26 });
    expect(jobView(crawled.job)).toMatchObject({ endReason: 'done' });
    expect(jobView(crawled.job)).not.toHaveProperty('error');
  });

  it('a crawl removes nothing when the plan allows fewer pages than there are', async () => {
    await leave(-20);
    web.pages.set('/new', htmlPage('New', 'This page is new.'));
    web.pages.set('/', htmlPage('Start', 'One more.', [...NAMES, '/new']));
    expect(counts(await crawlHere(site))).toEqual({
      'unchanged 200': 30,
      'indexed 200': 1,
      'skipped over_limit 200': 1,
    });
    expect(await pageCount()).toBe(QUOTA + 20);
  });
});
