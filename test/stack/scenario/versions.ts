import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listOf } from '../../support/answer.ts';
import { ChatServer } from '../../support/chat-server.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import type { WebSite } from '../../support/web-site.ts';
import { lighthouse, NEEDLE } from './lighthouse.ts';
import { ORIGIN, type World } from './world.ts';

export const PROVIDER_KEY = {
  arn: 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:provider-key-Ab12Cd',
  text: 'the-key-of-the-provider',
};
const APP = new URL('../second-version.ts', import.meta.url).pathname;
const CDK = new URL('../../../cdk.json', import.meta.url);

export const versions = (world: () => World, first: string): void =>
  describe('another version', () => {
    let provider: ChatServer;
    let site: WebSite;
    let siteId: string;
    let folder: TemporaryFolder;

    beforeAll(async () => {
      provider = world().keep(await ChatServer.start());
      folder = temporaryFolder();
      const { context } = JSON.parse(readFileSync(CDK, 'utf8'));
      const env = { ...process.env, CDK_OUTDIR: folder.path, CDK_CONTEXT_JSON: JSON.stringify(context) };
      await promisify(execFile)(process.execPath, [APP, provider.url, PROVIDER_KEY.arn], { env });
      site = world().keep(await lighthouse());
      siteId = await world().createSite(`${site.origin}/`);
      expect(await world().crawl(siteId)).toMatchObject({ pagesProcessed: 22 });
    });
    afterAll(() => folder.remove());

    const find = async () => {
      await world().settled();
      world().stack.edge.cache.clear();
      world().stack.gateway.rest();
      const { status, body, headers } = await world().visitor('GET', `/v1/public/sites/${siteId}/search?q=${NEEDLE}`);
      const [found] = status === 200 ? listOf(body.results) : [];
      const isFound = found?.url === (`${site.origin}/lens` as unknown);
      return { isFound, status, isDegraded: headers.has('x-search-degraded'), ...(status >= 400 && { body }) };
    };
    const registry = () => world().registry();

    /** Searches all the time that a version is deployed and pages move to another index. */
    async function searching(during: () => Promise<void>): Promise<void> {
      const faults: object[] = [];
      let isOver = false;
      let searches = 0;
      const searchesEnd = (async () => {
        for (; !isOver; searches++) {
          const answer = await find();
          if (!answer.isFound) faults.push({ ...answer, searches });
        }
      })();
      await during().finally(() => {
        isOver = true;
      });
      await searchesEnd;
      expect(faults).toEqual([]);
      expect(searches).toBeGreaterThan(3);
    }

    it('moves the pages to an index of another layout and model, while searches are answered', async () => {
      await world().moved(); // of the first deployment
      const { searched: before } = await registry();
      await searching(async () => {
        expect(await world().stack.update(folder.path)).toEqual(['Update']);
        expect(await registry()).toMatchObject({ searched: before, step: 'backfill', secondary: { shards: 2 } });
        await world().moved();
      });
      expect((await registry()).searched).toMatchObject({ shards: 2, dimensions: 64 });
      expect(await find()).toEqual({ isFound: true, status: 200, isDegraded: false });
    });

    it('answers by a model, and adds what a provider could not during an outage', async () => {
      const described = JSON.stringify({ title: 'Late', summary: 'It came late.', tags: ['late'] });
      provider.says = ({ response_format }) => (response_format ? described : 'A lens bends the light [1].');
      const { body } = await world().public('POST', `/sites/${siteId}/chat`, { message: 'What does the lens bend?' });
      expect(String(body.answer)).toContain('bends the light');
      const path = `/sites/${await world().createSite(`${ORIGIN}/`)}/pages`;
      provider.mood = 'failing';
      provider.embeds = false;
      const before = { embed: world().runsOf('embed-pages'), enrich: world().runsOf('enrich-pages') };
      const pages = [{ url: '/late', content: 'A page that came late. '.repeat(40), contentType: 'text' }];
      expect(await world().api('POST', path, { pages })).toMatchObject({ processed: 1 });
      provider.mood = 'well';
      provider.embeds = true;
      await world().pass(60);
      await world().ran('enrich-pages', before.enrich);
      await world().ran('embed-pages', before.embed);
    });

    it('is rolled back', async () => {
      await searching(async () => {
        expect(await world().stack.update(first)).toEqual(['Update']);
        await world().moved();
      });
      expect((await registry()).searched).toMatchObject({ shards: 1 });
      expect(await find()).toEqual({ isFound: true, status: 200, isDegraded: false });
    });
  });
