import { chromiumRenderer } from '../connectors/chromium/page-renderer.ts';
import { runSlice } from '../domain/crawl/run-slice.ts';
import { env } from '../env.ts';
import { queues } from '../messages.ts';
import { allowHosts } from '../runtime/allow-hosts.ts';
import { crawlDeps } from '../runtime/crawl-deps.ts';
import { worker } from '../runtime/worker.ts';

export const handler = worker(queues.render, (slice) =>
  runSlice(slice, {
    ...crawlDeps,
    openRenderer: (job) =>
      chromiumRenderer({
        allowHosts: allowHosts(job),
        contact: env.CRAWL_CONTACT,
        path: env.CHROMIUM_PATH,
        sandbox: env.CHROMIUM_SANDBOX,
        isFunction: env.AWS_LAMBDA_FUNCTION_NAME !== undefined,
      }),
  }),
);
