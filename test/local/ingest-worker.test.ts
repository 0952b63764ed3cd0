import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BusyThread } from '../../bin/local/ingest-worker.ts';
import type { StoreHost } from '../../lambdas/adapters/local/engine/store-host.ts';
import { closeEngine, openEngine } from '../../lambdas/adapters/local/engine.ts';
import type { ApiEvent } from '../../lambdas/runtime/api-event.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const event = { httpMethod: 'POST', path: '/api/sites/x/pages', headers: {}, pathParameters: { siteId: 'x' } };
const asEvent = event as unknown as ApiEvent;

describe('BusyThread', () => {
  const folder = temporaryFolder();
  let engine: StoreHost;
  let busy: BusyThread;

  beforeAll(async () => {
    engine = await openEngine(folder.path);
    busy = new BusyThread(engine);
  });
  afterAll(async () => {
    await busy.stop();
    await closeEngine();
    folder.remove();
  });

  it('answers as the handler does', async () => {
    const [first, second] = await Promise.all([busy.run('ingest-pages', asEvent), busy.run('ingest-pages', asEvent)]);
    expect(first).toMatchObject({ statusCode: 401, headers: { 'WWW-Authenticate': 'Bearer' } });
    expect(second).toEqual(first);
  });

  it('answers 503 when its thread breaks off, and goes on with a new one', async () => {
    const broken = Promise.all([busy.run('no-such-endpoint', asEvent), busy.run('no-such-endpoint', asEvent)]);
    for (const { statusCode, body } of await broken) {
      expect(statusCode).toBe(503);
      expect(JSON.parse(body)).toMatchObject({ code: 'upstream_unavailable' });
    }
    expect(await busy.run('ingest-pages', asEvent)).toMatchObject({ statusCode: 401 });
  });

  it('ends when it is told to, also while it is asked', async () => {
    const waiting = busy.run('ingest-pages', asEvent);
    await busy.stop();
    expect([401, 503]).toContain((await waiting).statusCode);
  });
});
