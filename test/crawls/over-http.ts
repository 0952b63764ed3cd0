import { httpFetcher } from '../../lambdas/connectors/fetcher/http-fetcher.ts';
import { systemTime } from '../support/crawl-here.ts';

/** Makes `crawlHere` crawl a `webSite` in the system's time. */
export const overHttp = {
  ...systemTime,
  openFetcher: () => httpFetcher({ userAgent: 'test', allowHosts: ['127.0.0.1'], connectionsPerHost: 5 }),
};
