import { pageReader } from '#adapters/page-reader';
import { tableReader } from '#adapters/table';
import { httpFetcher } from '../connectors/fetcher/http-fetcher.ts';
import { testUrl } from '../domain/insight/inspection/test-url.ts';
import { env } from '../env.ts';
import { inspection } from '../routes/inspection.ts';
import { allowHosts } from '../runtime/allow-hosts.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock } from '../runtime/system.ts';
import { userAgent } from '../text/web/user-agent.ts';

/** The gateway gives up after 29 s. */
const DEADLINE_MS = 20_000;

export const handler = endpoint(inspection['test-url'], ({ params, body, caller }) =>
  testUrl({ ...params, ...body }, caller, {
    table: tableReader,
    pageReader,
    clock,
    deadline: AbortSignal.timeout(DEADLINE_MS),
    openFetcher: (site) =>
      httpFetcher({
        userAgent: userAgent(env.CRAWL_CONTACT),
        allowHosts: allowHosts(site),
        connectionsPerHost: 1,
      }),
  }),
);
