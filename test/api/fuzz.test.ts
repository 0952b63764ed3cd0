import { afterAll, beforeAll, describe, it } from '@jest/globals';
import type { Route } from '../../lambdas/routes/route.ts';
import { routes } from '../../lambdas/routes.ts';
import { openApi } from '../support/api.ts';
import { neverFails, newIds } from '../support/fuzz/never-fails.ts';
import type { TestApi } from '../support/test-api.ts';

/** Runs for each route. A bug that was found once gets a test of its own. */
const RUNS = 30;

describe('hostile input', () => {
  let service: TestApi;
  beforeAll(async () => {
    service = await openApi({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1', LOG_LEVEL: 'error' } });
  });
  afterAll(() => service.end());

  it.each(Object.entries<Route>(routes))('never makes %s fail', async (_, route) =>
    neverFails(service, route, await newIds(service), RUNS),
  );
});
