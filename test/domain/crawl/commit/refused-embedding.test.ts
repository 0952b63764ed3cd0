import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openaiEmbedder } from '../../../../lambdas/connectors/embedder/openai.ts';
import { crawlHere, newSite } from '../../../support/crawl-here.ts';
import { fixedKey } from '../../../support/fixed-key.ts';
import { type MemorySite, memorySite } from '../../../support/memory/web.ts';
import { htmlPage, type WebSite, webSite } from '../../../support/web-site.ts';

describe('a crawl whose embedding provider refuses', () => {
  let web: MemorySite;
  let provider: WebSite;

  beforeAll(async () => {
    web = memorySite({
      '/': htmlPage('The start', 'A start that leads on.', ['/a']),
      '/a': htmlPage('A', 'All of a.'),
    });
    provider = await webSite({});
  });
  afterAll(async () => {
    await provider.close();
  });

  it.each([401, 403, 404])(
    'the key or the model, with %i, fails at once with the reason, and blames no page',
    async (status) => {
      const answer = JSON.stringify({ error: { message: 'not with this key' } });
      provider.pages.set(
        '/v1/embeddings',
        (_, response) => void response.writeHead(status, { 'Content-Type': 'application/json' }).end(answer),
      );
      const embedder = openaiEmbedder({
        key: fixedKey('k-1234567'),
        baseUrl: `${provider.origin}/v1`,
        model: 'm',
        dimensions: 8,
      });
      const { job, ends } = await crawlHere(await newSite(web.origin), { embedder });
      expect(job).toMatchObject({ status: 'failed', endReason: 'upstream_unavailable', crashes: {} });
      expect(job.error).toMatch(/embeddings API: .*not with this key.*Fix the settings/);
      expect(Object.values(ends).join()).not.toContain('gave_up');
    },
  );
});
