import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { builtinEmbedder } from '../../../../lambdas/connectors/embedder/builtin.ts';
import { crawlHere, newSite } from '../../../support/crawl-here.ts';
import { openLocalStore } from '../../../support/local-store.ts';
import { htmlPage, type WebSite, webSite } from '../../../support/web-site.ts';

describe('the depths of a crawl', () => {
  let close: () => Promise<void>;
  let web: WebSite;
  const deeperFetched = Promise.withResolvers<void>();

  beforeAll(async () => {
    close = await openLocalStore();
    web = await webSite({
      '/': htmlPage('The start', 'A start that leads on.', ['/deeper']),
      '/deeper': (_, response) => {
        deeperFetched.resolve();
        response.writeHead(200, { 'Content-Type': 'text/html' }).end(htmlPage('Deeper', 'All that is deeper.'));
      },
    });
  });
  afterAll(async () => {
    await close();
    await web.close();
  });

  it('follow each other without a pause: the next is fetched while pages of the last are being indexed', async () => {
    const builtin = builtinEmbedder();
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
