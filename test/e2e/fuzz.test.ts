import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Route } from '../../lambdas/routes/route.ts';
import { routes } from '../../lambdas/routes.ts';
import { neverFails, newIds } from '../support/fuzz/never-fails.ts';
import { LocalService } from '../support/local-service.ts';

/** Few, because `test/api/fuzz.test.ts` sends more to the same handlers. */
const RUNS = 4;

const deletingLast = Object.values<Route>(routes).toSorted(
  (a, b) => Number(a.method === 'delete') - Number(b.method === 'delete'),
);

describe('hostile input over HTTP', () => {
  let service: LocalService;
  beforeAll(async () => {
    service = await LocalService.start({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1', LOG_LEVEL: 'error' } });
  });
  afterAll(() => service.end());

  it('never makes a route fail', async () => {
    const ids = await newIds(service);
    for (const route of deletingLast) await neverFails(service, route, ids, RUNS);
  }, 60_000);

  it('leaves the service running', async () => {
    expect((await service.api('GET', '/sites')).status).toBe(200);
  });
});
