import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiEvent } from '../../../lambdas/runtime/api-event.ts';
import { IngestWorker } from '../../../local/threads/ingest-worker.ts';
import type { MainStore } from '../../../local/threads/open-store.ts';
import { closeStore, openStore } from '../../../local/threads/open-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const event = {
  httpMethod: 'POST',
  path: '/api/sites/x/pages',
  headers: {},
  pathParameters: { siteId: 'x' },
  requestContext: { requestId: 'r' },
};
const asEvent = event as unknown as ApiEvent;

describe('IngestWorker', () => {
  const folder = temporaryFolder();
  let store: MainStore;
  let worker: IngestWorker;

  beforeAll(async () => {
    store = await openStore(folder.path);
    worker = new IngestWorker(store);
  });
  afterAll(async () => {
    await worker.stop();
    await closeStore();
    folder.remove();
  });

  it('resolves to the response of the handler', async () => {
    const [first, second] = await Promise.all([
      worker.run('ingest-pages', asEvent),
      worker.run('ingest-pages', asEvent),
    ]);
    for (const response of [first, second])
      expect(response).toMatchObject({
        statusCode: 401,
        headers: { 'WWW-Authenticate': 'Bearer', 'X-Request-Id': 'r' },
      });
  });

  it('runs large requests in turn', async () => {
    const large = { ...asEvent, body: 'x'.repeat(100_000), isBase64Encoded: true };
    const responses = await Promise.all(Array.from({ length: 9 }, () => worker.run('ingest-pages', large)));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(responses.map(() => 401));
  });

  it('refuses large requests that wait for their turn when it stops', async () => {
    const large = { ...asEvent, body: 'x'.repeat(100_000), isBase64Encoded: true };
    const stopped = new IngestWorker(store);
    const responses = Promise.all(Array.from({ length: 9 }, () => stopped.run('ingest-pages', large)));
    await stopped.stop();
    for (const { statusCode, body } of await responses) {
      expect(statusCode).toBe(503);
      expect(JSON.parse(body)).toMatchObject({ code: 'upstream_unavailable' });
    }
  });

  it('resolves to 503 if its thread dies, and starts a new thread for the next call', async () => {
    const responses = Promise.all([worker.run('no-such-endpoint', asEvent), worker.run('no-such-endpoint', asEvent)]);
    for (const { statusCode, headers, body } of await responses) {
      expect(statusCode).toBe(503);
      expect(headers).toMatchObject({ 'Retry-After': '5', 'X-Request-Id': 'r', 'X-RateLimit-Limit': '1000' });
      expect(JSON.parse(body)).toMatchObject({ code: 'upstream_unavailable' });
    }
    expect(await worker.run('ingest-pages', asEvent)).toMatchObject({ statusCode: 401 });
  });

  it('resolves the waiting calls to 503 when it stops', async () => {
    const stopped = new IngestWorker(store);
    const waiting = [stopped.run('ingest-pages', asEvent), stopped.run('ingest-pages', asEvent)];
    await stopped.stop(); // while the thread still starts, so that no call is answered before
    for (const { statusCode } of await Promise.all(waiting)) expect(statusCode).toBe(503);
  });
});
