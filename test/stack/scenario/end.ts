import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { describe, expect, it } from '@jest/globals';
import { listOf } from '../../support/answer.ts';
import { eventually } from '../../support/eventually.ts';
import { PATIENCE_MS, PAUSE_SECONDS, type World } from './world.ts';

export const end = (world: () => World): void =>
  describe('the end', () => {
    it('deletes all that sites held', async () => {
      const { stack } = world();
      const siteIds = listOf((await world().api('GET', '/sites')).sites).map((site) => String(site.siteId));
      for (const siteId of siteIds) await world().api('DELETE', `/sites/${siteId}`);
      await eventually(async () => {
        await world().pass(PAUSE_SECONDS);
        const left = await Promise.all(siteIds.map((siteId) => stack.readItem('DELETED', `SITE#${siteId}`)));
        return left.every((tombstone) => tombstone === undefined);
      }, PATIENCE_MS);
      const { Contents = [] } = await stack.clients.buckets.send(new ListObjectsV2Command({ Bucket: world().bucket }));
      expect(Contents).toEqual([]);
    });

    it('lets CloudFormation delete the stack', async () => {
      expect(await world().stack.delete()).toEqual(['Delete', 'Delete']);
      const Bucket = world()
        .stack.template.ofType('AWS::S3::Bucket')
        .find(({ id }) => id.startsWith('WebFiles'))?.ref;
      const { Contents = [] } = await world().stack.clients.buckets.send(new ListObjectsV2Command({ Bucket }));
      expect(Contents).toEqual([]); // S3 deletes no bucket with objects
    });
  });
