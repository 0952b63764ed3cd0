import { embedder, pageIndex } from '#adapters/page-index';
import { pageReader } from '#adapters/page-reader';
import { pageStore } from '#adapters/page-store';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { chatModel } from '../adapters/chat-model/configured.ts';
import { httpFetcher } from '../adapters/http-fetcher.ts';
import { CONNECTIONS_PER_HOST } from '../core/crawl/fetch/fetch-pool.ts';
import type { CrawlDeps } from '../core/crawl/run-slice.ts';
import { turns } from '../core/turns.ts';
import { userAgent } from '../core/web/user-agent.ts';
import { env } from '../env.ts';
import { allowHosts } from './allow-hosts.ts';
import { clock, halt, sleep } from './system.ts';

/** What a slice of a crawl needs, except a browser. */
export const crawlDeps: CrawlDeps = {
  table,
  queue,
  pageStore,
  pageIndex,
  embedder,
  enriches: chatModel !== undefined,
  pageReader,
  readAlone: turns(),
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
