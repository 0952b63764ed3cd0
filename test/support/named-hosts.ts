import { httpFetcher } from '../../lambdas/connectors/fetcher/http-fetcher.ts';
import type { PageFetcher } from '../../lambdas/domain/ports/page-fetcher.ts';
import type { WebSite } from './web-site.ts';

/** A fetcher that reaches each of these origins at a server on loopback, since tests cannot use default ports. */
export function namedHosts(hosts: () => Readonly<Record<string, WebSite>>): PageFetcher {
  const fetcher = httpFetcher({ userAgent: 'test', allowHosts: ['127.0.0.1'], connectionsPerHost: 5 });
  const at = (url: string): string => {
    const { origin } = new URL(url);
    return url.replace(origin, hosts()[origin]?.origin ?? origin);
  };
  return {
    fetch: (request) => fetcher.fetch({ ...request, url: at(request.url) }),
    stream: (request, take) => fetcher.stream({ ...request, url: at(request.url) }, take),
    close: () => fetcher.close(),
  };
}
