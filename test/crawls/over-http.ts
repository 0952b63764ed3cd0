import { setTimeout as delay } from 'node:timers/promises';
import { httpFetcher } from '../../lambdas/connectors/fetcher/http-fetcher.ts';

/** Makes `crawlHere` crawl a `webSite` in the system's time, with sleeps cut to 20 ms. */
export const overHttp = {
  clock: Date.now,
  sleep: (ms: number) => delay(Math.min(ms, 20)),
  openFetcher: () => httpFetcher({ userAgent: 'test', allowHosts: ['127.0.0.1'], connectionsPerHost: 5 }),
};
