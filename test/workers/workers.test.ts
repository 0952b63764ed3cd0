import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { pageReader } from '#adapters/page-reader';
import { type QueueDefinition, queues } from '../../lambdas/messages.ts';
import { requestHalt } from '../../lambdas/runtime/system.ts';
import type { WorkerHandler } from '../../lambdas/runtime/worker.ts';
import { openApi } from '../support/api.ts';
import type { TestApi } from '../support/test-api.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const definitions: readonly QueueDefinition[] = Object.values(queues);
const names = definitions.flatMap(({ worker }) => worker ?? []);

/** Hands one message to a worker as its function receives it; answers whether the worker acknowledged it. */
async function deliver(worker: string, message: unknown): Promise<boolean> {
  const { handler } = (await import(`../../lambdas/workers/${worker}.ts`)) as { readonly handler: WorkerHandler };
  const { batchItemFailures } = await handler({
    Records: [{ messageId: '1', body: JSON.stringify(message) }],
  } as SQSEvent);
  return batchItemFailures.length === 0;
}

describe('the workers', () => {
  let service: TestApi;

  beforeAll(async () => {
    service = await openApi({ env: { LOG_LEVEL: 'error' } });
  });
  afterAll(async () => {
    requestHalt(); // ends sleeps that outlive their slice
    await pageReader.close();
    await service.end();
  });

  it('the workers are those that the queues name, each with a separate file', () => {
    const triggeredOtherwise = ['collect-events', 'create-index', 'expire-events', 'publish-web-files', 'watchdog'];
    const files = readdirSync(new URL('../../lambdas/workers/', import.meta.url)).map((file) => file.slice(0, -3));
    expect(files.toSorted()).toEqual([...names, ...triggeredOtherwise].toSorted());
  });

  it.each([
    ['crawl-slice', { siteId: UNKNOWN, jobId: UNKNOWN, slice: 0 }],
    ['crawl-dead', { siteId: UNKNOWN, jobId: UNKNOWN, slice: 0 }],
    ['embed-pages', { siteId: UNKNOWN, generation: 1, urls: ['https://docs.example/'], attempt: 0 }],
    ['enrich-pages', { siteId: UNKNOWN, generation: 1, pages: [], attempt: 0 }],
    ['clean-up-site', { siteId: UNKNOWN }],
    ['move-index', { version: 7 }],
    ['check-health', { siteId: UNKNOWN, jobId: UNKNOWN }],
    ['deliver-webhooks', { siteId: UNKNOWN }],
    ['deliver-webhooks', { siteId: UNKNOWN, deliveryId: UNKNOWN, attempt: 0 }],
  ])('acknowledge a message whose work no longer exists: %s', async (worker, message) => {
    expect(await deliver(worker, message)).toBe(true);
  });

  it('run the slice of a crawl job', async () => {
    const siteId = await service.createSite('http://10.0.0.1/');
    const jobId = await service.startCrawl(siteId);
    expect(await deliver('crawl-slice', { siteId, jobId, slice: 0 })).toBe(true);
    expect((await service.api('GET', `/jobs/${jobId}`)).body).toMatchObject({
      status: 'failed',
      endReason: 'private_address',
    });
  });

  it('delete the jobs of a deleted site', async () => {
    const deleted = await service.createSite('https://docs.example/');
    const jobId = await service.startCrawl(deleted);
    await service.api('DELETE', `/jobs/${jobId}`);
    await service.api('DELETE', `/sites/${deleted}`);
    expect(await deliver('clean-up-site', { siteId: deleted })).toBe(true);
    expect((await service.api('GET', `/jobs/${jobId}`)).status).toBe(404);
  });
});
