import { embedder, pageIndex } from '#adapters/page-index';
import { pageReader } from '#adapters/page-reader';
import { pageStore } from '#adapters/page-store';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { chatModel } from '../adapters/chat-model/configured.ts';
import { httpFetcher } from '../adapters/http-fetcher.ts';
import { CONNECTIONS_PER_HOST } from '../core/crawl/fetch/fetch-pool.ts';
import { runSlice } from '../core/crawl/run-slice.ts';
import { userAgent } from '../core/web/user-agent.ts';
import { env } from '../env.ts';
import { queues } from '../messages.ts';
import { clock, halt, sleep } from '../runtime/system.ts';
import { worker } from '../runtime/worker.ts';

export const handler = worker(queues.crawl, (slice) =>
  runSlice(slice, {
    table,
    queue,
    pageStore,
    pageIndex,
    embedder,
    enriches: chatModel !== undefined,
    pageReader,
    clock,
    sleep,
    halt,
    openFetcher: ({ privateHost }) =>
      httpFetcher({
        userAgent: userAgent(env.CRAWL_CONTACT),
        allowHosts: [...env.CRAWL_ALLOW_HOSTS, ...(privateHost === undefined ? [] : [privateHost])],
        connectionsPerHost: CONNECTIONS_PER_HOST,
      }),
  }),
);
