import { describe, expect, it } from '@jest/globals';
import { listOf } from '../../support/answer.ts';
import { htmlPage } from '../../support/web-site.ts';
import { bringBackObjects, copyBack, copyTable } from '../deploy/restore.ts';
import { lighthouse, NEEDLE } from './lighthouse.ts';
import type { World } from './world.ts';

export const restore = (world: () => World): void =>
  describe('a restore', () => {
    it('brings table and texts back to a moment, and the index follows', async () => {
      const { clients, template } = world().stack;
      const table = template.ofType('AWS::DynamoDB::Table')[0]?.ref ?? '';
      const bucket = world().bucket;
      const site = world().keep(await lighthouse());
      const siteId = await world().createSite(`${site.origin}/`);
      await world().crawl(siteId);
      await copyTable(clients.table, table, `${table}-restored`);

      site.pages.set('/lens', htmlPage('The lens', 'The lens was sold.')); // its text is replaced
      await world().crawl(siteId);
      const deleted = await world().api('DELETE', `/sites/${siteId}/pages`, { patterns: ['/topic-*'] });
      expect(deleted).toMatchObject({ deletedPages: 20, complete: true });
      await world().moved();

      await copyBack(clients.table, `${table}-restored`, table);
      expect(await world().operate('check', siteId)).toMatchObject({
        agrees: false,
        sites: [{ pages: 22, faults: { textMissing: { pages: 21 } } }],
      });
      expect(await bringBackObjects(clients.buckets, bucket, `${siteId}/`)).toBeGreaterThanOrEqual(21);
      await world().operate('index', 'rebuild');
      await world().moved();
      const checked = await world().operate('check', siteId);
      expect(checked).toMatchObject({ agrees: true, sites: [{ pages: 22, pageCount: 22, indexed: 22 }] });

      world().stack.edge.cache.clear();
      const { body } = await world().public('GET', `/sites/${siteId}/search?q=${NEEDLE}`);
      expect(listOf(body.results)[0]).toMatchObject({ url: `${site.origin}/lens` });
    });
  });
