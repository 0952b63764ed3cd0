import { beforeAll, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '../../../../lambdas/domain/errors.ts';
import { everyItem } from '../../../../lambdas/domain/every-item.ts';
import type { Table } from '../../../../lambdas/domain/ports/table.ts';
import { crawlHere, newSite } from '../../../support/crawl-here.ts';
import { table } from '../../../support/memory/stores.ts';
import { type MemorySite, memorySite } from '../../../support/memory/web.ts';
import { htmlPage } from '../../../support/web-site.ts';

/** The most that one slice adds to the time of a job. */
const QUARTER_OF_AN_HOUR = 900_000;

describe('a sitemap', () => {
  it('is read completely even if its pages cannot be queued at first', async () => {
    const web = memorySite({
      '/': htmlPage('Start', 'Where everything begins.'),
      '/lone': htmlPage('Lone', 'No link leads here.'),
      '/sitemap.xml': '<urlset><url><loc>/lone</loc></url></urlset>',
    });
    let failures = 5;
    const store: Table = {
      ...table,
      write: async (changes) => {
        const isQueueing = changes.some((change) => 'put' in change && change.put.url === `${web.origin}/lone`);
        if (isQueueing && failures-- > 0) throw new UnavailableError('down');
        return table.write(changes);
      },
    };
    const { ends } = await crawlHere(await newSite(web.origin), { table: store });
    expect(ends).toMatchObject({ [`${web.origin}/lone`]: 'indexed 200' });
  });
});

describe('a site with endless sitemaps', () => {
  let web: MemorySite;

  beforeAll(async () => {
    web = memorySite({ '/': htmlPage('Start', 'Where everything begins.') });
  });

  it('is crawled after an hour of reading them, and a thousand are stored', async () => {
    let now = Date.now();
    const names = Array.from({ length: 7 }, (_, index) => `/map-${index}.xml`);
    const indexOf = (of: string) =>
      Array.from({ length: 600 }, (_, index) => `<sitemap><loc>${of}-${index}</loc></sitemap>`).join('');
    web.pages.set('/robots.txt', names.map((name) => `Sitemap: ${name}`).join('\n'));
    for (const name of names)
      web.pages.set(name, (_, response) => {
        now += QUARTER_OF_AN_HOUR;
        response.end(`<sitemapindex>${indexOf(name)}</sitemapindex>`);
      });
    const { job } = await crawlHere(await newSite(web.origin), { clock: () => now });
    expect(job).toMatchObject({ status: 'completed', endReason: 'done', indexed: 1 });
    expect(web.requests.filter((path) => path.startsWith('/map-'))).toHaveLength(5);
    let remembered = 0;
    for await (const _ of everyItem(table, `JOB#${job.jobId}`, 'SITEMAP#')) remembered++;
    expect(remembered).toBe(1000);
  });
});
