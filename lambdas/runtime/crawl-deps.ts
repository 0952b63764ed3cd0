import { pageIndex } from '#adapters/page-index';
import { pageReader } from '#adapters/page-reader';
import { pageStore } from '#adapters/page-store';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { chatModel } from '../connectors/chat-model/configured.ts';
import { embedder } from '../connectors/embedder/configured.ts';
import { httpFetcher } from '../connectors/fetcher/http-fetcher.ts';
import { CONNECTIONS_PER_HOST } from '../domain/crawl/fetch/fetch-pool.ts';
import type { CrawlDeps } from '../domain/crawl/run-slice.ts';
import { mutex } from '../domain/mutex.ts';
import { env } from '../env.ts';
import { userAgent } from '../text/web/user-agent.ts';
import { allowHosts } from './allow-hosts.ts';
import { clock, halt, sleep } from './system.ts';

/** The dependencies of a crawl slice, except a browser. */
export const crawlDeps: CrawlDeps = {
  table,
  queue,
  pageStore,
  pageIndex,
  embedder,
  enriches: chatModel !== undefined,
  pageReader,
  soloRead: mutex(),
  clock,
  sleep,
  halt,
  openFetcher: (job) =>
    httpFetcher({
      userAgent: userAgent(env.CRAWL_CONTACT),
      allowHosts: allowHosts(job),
      connectionsPerHost: CONNECTIONS_PER_HOST,
    }),
};
