import { beforeAll, describe, expect, it } from '@jest/globals';
import { listOf } from '../../support/answer.ts';
import { eventually } from '../../support/eventually.ts';
import { type ScriptedServer, scriptedServer } from '../../support/scripted-server.ts';
import { spaSite } from '../../support/spa-site.ts';
import type { WebSite } from '../../support/web-site.ts';
import { fill, lighthouse, lose } from './lighthouse.ts';
import { PATIENCE_MS, type World } from './world.ts';

export const sitesAndCrawls = (world: () => World): void =>
  describe('sites and crawls', () => {
    let site: WebSite;
    let receiver: ScriptedServer;
    let siteId: string;

    beforeAll(async () => {
      site = world().keep(await lighthouse());
      receiver = world().keep(await scriptedServer((response) => response.writeHead(204).end()));
      siteId = await world().createSite(`${site.origin}/`);
    });

    it('lists, shows and changes sites', async () => {
      const { api } = bound(world());
      expect(listOf((await api('GET', '/sites')).sites).map((each) => each.siteId)).toContain(siteId);
      await api('GET', `/organisations/${world().orgId}/ai-search/sites/${siteId}`);
      await api('PUT', `/sites/${siteId}`, { name: 'Lighthouse' });
      expect(await api('GET', `/sites/${siteId}`)).toMatchObject({ name: 'Lighthouse', status: 'pending' });
    });

    it('crawls a website, checks its health and tells webhooks', async () => {
      const { api } = bound(world());
      const hook = await api('POST', `/sites/${siteId}/webhooks`, { url: `${receiver.url}/hook` });
      await api('PUT', `/sites/${siteId}/crawl-urls`, { urls: [`${site.origin}/lens`] });
      expect(await api('GET', `/sites/${siteId}/crawl-urls`)).toMatchObject({ count: 1 });
      await api('DELETE', `/sites/${siteId}/crawl-urls`);
      const job = await world().crawl(siteId);
      expect(job).toMatchObject({ status: 'completed', pagesProcessed: 22 });
      expect(listOf((await api('GET', `/jobs/${job.jobId}/pages?limit=50`)).pages)).toHaveLength(22);
      expect(listOf((await api('GET', `/sites/${siteId}/jobs`)).jobs)).toHaveLength(1);
      await eventually(async () => (await api('GET', `/sites/${siteId}/health`)).pages !== undefined, PATIENCE_MS);
      await eventually(async () => receiver.requests.length === 1, PATIENCE_MS);
      await api('POST', `/sites/${siteId}/webhooks/${hook.webhookId}/test`);
      expect(listOf((await api('GET', `/sites/${siteId}/webhooks`)).webhooks)).toHaveLength(1);
      await api('DELETE', `/sites/${siteId}/webhooks/${hook.webhookId}`);
    });

    it('says why a URL is found', async () => {
      const { api } = bound(world());
      const url = encodeURIComponent(`${site.origin}/lens`);
      expect(await api('GET', `/sites/${siteId}/trace?url=${url}&q=lens`)).toMatchObject({ isIndexed: true });
      expect(await api('POST', `/sites/${siteId}/test-url`, { url: '/lens' })).toMatchObject({
        scope: { decision: 'admitted' },
      });
      expect(listOf((await api('GET', `/sites/${siteId}/pages?search=lens`)).items)).toHaveLength(1);
      expect(listOf((await api('GET', `/sites/${siteId}/index-pages?limit=100`)).pages)).toHaveLength(22);
    });

    it('holds the removal of many pages until somebody decides', async () => {
      const { api } = bound(world());
      const held = async () => {
        fill(site);
        await world().crawl(siteId);
        lose(site);
        expect(await world().crawl(siteId)).toMatchObject({ status: 'completed', pagesHeld: 12 });
        const [review] = listOf((await api('GET', `/sites/${siteId}/reviews`)).reviews);
        return `/sites/${siteId}/reviews/${review?.reviewId}`;
      };
      const rejected = await held();
      expect(listOf((await api('GET', rejected)).urls)).toHaveLength(12);
      await api('POST', `${rejected}/reject`);
      const approved = await held();
      await api('POST', `${approved}/approve`);
      const swept = await eventually(async () => {
        const { sweep } = await api('GET', approved);
        return String(sweep?.status) === 'done' && sweep;
      }, PATIENCE_MS);
      expect(swept).toMatchObject({ deleted: 12 });
      fill(site);
      expect(await world().crawl(siteId)).toMatchObject({ status: 'completed' });
    });

    it('cancels a crawl', async () => {
      const { api } = bound(world());
      site.pages.set('/', () => undefined); // never answers
      const { jobId } = await api('POST', `/sites/${siteId}/crawl`);
      expect(await api('DELETE', `/jobs/${jobId}`)).toMatchObject({ status: 'cancelled' });
      fill(site);
    });

    it('starts a crawl by a schedule', async () => {
      const { api } = bound(world());
      await api('POST', `/sites/${siteId}/schedules`, { frequency: 'hourly' });
      await api('POST', `/sites/${siteId}/schedules`, { frequency: 'hourly' }); // replaces it
      expect(await world().stack.events.sendDueSchedules()).toBe(0);
      await world().pass(3700);
      expect(await world().stack.events.sendDueSchedules()).toBe(1);
      const job = await eventually(async () => {
        const [latest] = listOf((await api('GET', `/sites/${siteId}/jobs?limit=1`)).jobs);
        return latest?.status === ('completed' as unknown) && latest;
      }, PATIENCE_MS);
      expect(job).toMatchObject({ outcomes: { unchanged: 22 } });
      expect(listOf((await api('GET', `/sites/${siteId}/schedules`)).schedules)).toHaveLength(1);
      await api('DELETE', `/sites/${siteId}/schedules`);
      expect(world().stack.scheduler.names).toEqual([]);
    });

    it('shows pages in a browser', async () => {
      const lantern = { name: 'Storm lantern', text: 'It burns for thirty hours.' };
      const shop = world().keep(await spaSite({ lantern }));
      const shopId = await world().createSite(`${shop.origin}/`, { crawlerConfig: { javascriptEnabled: true } });
      expect(await world().crawl(shopId)).toMatchObject({ status: 'completed', pagesProcessed: 2 });
      const { body } = await world().public('GET', `/sites/${shopId}/search?q=storm+lantern`);
      expect(listOf(body.results)[0]).toMatchObject({ url: `${shop.origin}/products/lantern` });
    });
  });

const bound = (world: World) => ({ api: world.api.bind(world) });
