import { SetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { lighthouse } from './lighthouse.ts';
import { PATIENCE_MS, type World } from './world.ts';

export const recovery = (world: () => World): void =>
  describe('recovery', () => {
    it('resumes a crawl whose worker died five times, by the dead-letter queue', async () => {
      const { functions, clients, template } = world().stack;
      const queue = template.ofType('AWS::SQS::Queue').find(({ ref }) => ref.endsWith('-crawl.fifo'));
      const visibility = (seconds: unknown) =>
        clients.queues.send(
          new SetQueueAttributesCommand({ QueueUrl: queue?.ref, Attributes: { VisibilityTimeout: String(seconds) } }),
        );
      const site = world().keep(await lighthouse());
      const siteId = await world().createSite(`${site.origin}/`);
      await visibility(1);
      functions.breakDown('lambdas/workers/crawl-slice.handler');
      const before = world().runsOf('crawl-dead');
      const { jobId } = await world().api('POST', `/sites/${siteId}/crawl`);
      await eventually(async () => world().runsOf('crawl-dead') > before, PATIENCE_MS);
      expect(functions.repair('lambdas/workers/crawl-slice.handler')).toBe(5);
      await visibility(queue?.properties.VisibilityTimeout);
      expect(await world().ended(String(jobId))).toMatchObject({ status: 'completed', pagesProcessed: 22 });
    });

    it('due work runs every minute and every day', async () => {
      await world().stack.events.tick('minute');
      await world().stack.events.tick('day');
      expect([world().runsOf('watchdog'), world().runsOf('expire-events')]).toEqual([1, 1]);
    });
  });
