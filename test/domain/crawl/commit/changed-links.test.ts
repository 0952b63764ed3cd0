import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { everyItem } from '../../../../lambdas/domain/every-item.ts';
import type { RegisteredPage } from '../../../../lambdas/domain/pages/page-registry.ts';
import { crawlHere, newSite } from '../../../support/crawl-here.ts';
import { pageStore, table } from '../../../support/memory/stores.ts';
import { type MemoryPage, type MemorySite, memorySite } from '../../../support/memory/web.ts';

/** The links are in the navigation only, so the text does not depend on them. */
const page = (name: string, links: readonly string[] = []): string => `<!doctype html><html lang="en">
<head><title>All about ${name}</title></head><body>
<nav>${links.map((href) => `<a href="${href}">${href}</a>`).join(' ')}</nav>
<main><h1>All about ${name}</h1>
<p>Here ${name} is described at some length, and nothing else of this kind.</p></main></body></html>`;

const withEtag =
  (text: () => string): MemoryPage =>
  (request, response) => {
    const etag = `"${createHash('sha1').update(text()).digest('hex')}"`;
    const isSame = request.headers['if-none-match'] === etag;
    response.writeHead(isSame ? 304 : 200, { 'Content-Type': 'text/html', ETag: etag });
    response.end(isSame ? undefined : text());
  };

describe('a page whose text has not changed', () => {
  let web: MemorySite;
  let links: readonly string[] = [];

  beforeAll(async () => {
    web = memorySite({ '/a': page('the first'), '/b': page('the second') });
  });

  it.each([
    ['answers 304', withEtag(() => page('the start', links)), 304],
    ['sends it again', (_, response) => void response.end(page('the start', links)), 200],
  ] as const satisfies readonly (readonly [string, MemoryPage, number])[])(
    'is stored with its new links when the server %s',
    async (_, start, status) => {
      web.pages.set('/', start);
      links = ['/a'];
      const site = await newSite(web.origin);
      await crawlHere(site);
      links = ['/a', '/b'];
      expect((await crawlHere(site)).ends).toMatchObject({
        [`${web.origin}/`]: 'unchanged 200',
        [`${web.origin}/b`]: 'indexed 200',
      });
      expect((await crawlHere(site)).ends).toEqual({
        [`${web.origin}/`]: `unchanged ${status}`,
        [`${web.origin}/a`]: 'unchanged 200',
        [`${web.origin}/b`]: 'unchanged 200',
      });
    },
  );

  it('a page whose text has not changed is stored again if its text was lost', async () => {
    web.pages.set('/', page('the start'));
    const site = await newSite(web.origin);
    await crawlHere(site);
    const stored = async () => {
      const rows: RegisteredPage[] = [];
      for await (const row of everyItem<RegisteredPage>(table, `SITE#${site.siteId}`, 'G#00000001#PAGE#'))
        rows.push(row);
      return rows.map(({ urlHash, revision }) => ({ siteId: site.siteId, generation: 1, urlHash, revision }));
    };
    await pageStore.remove(await stored());
    expect((await crawlHere(site)).ends).toEqual({ [`${web.origin}/`]: 'unchanged 200' });
    expect(await pageStore.get(await stored())).toMatchObject([{ title: 'All about the start' }]);
  });
});
