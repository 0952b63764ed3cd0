import { beforeAll, describe, expect, it } from '@jest/globals';
import { embedder as builtin, crawlHere, newSite } from '../../../support/crawl-here.ts';
import { type MemorySite, memorySite } from '../../../support/memory/web.ts';
import { htmlPage } from '../../../support/web-site.ts';

describe('the depths of a crawl', () => {
  let web: MemorySite;
  const deeperFetched = Promise.withResolvers<void>();

  beforeAll(async () => {
    web = memorySite({
      '/': htmlPage('The start', 'A start that leads on.', ['/deeper']),
      '/deeper': (_, response) => {
        deeperFetched.resolve();
        response.writeHead(200, { 'Content-Type': 'text/html' }).end(htmlPage('Deeper', 'All that is deeper.'));
      },
    });
  });

  it('the depths of a crawl follow each other without a pause: one is fetched while pages of the previous are being indexed', async () => {
    const embedder = {
      ...builtin,
      embedTexts: async (texts: Parameters<typeof builtin.embedTexts>[0]) => {
        await deeperFetched.promise;
        return builtin.embedTexts(texts);
      },
    };
    const { job } = await crawlHere(await newSite(web.origin), { embedder });
    expect(job).toMatchObject({ status: 'completed', indexed: 2 });
  });
});
