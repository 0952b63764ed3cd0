import { ownerMcp, type ToolName } from '../routes/owner-mcp.ts';
import type { ApiEvent, ApiResponse } from '../runtime/api-event.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { mcpReply } from '../runtime/mcp.ts';
import { ownerServer } from '../runtime/owner-tools.ts';

type Handler = (event: ApiEvent, context: never) => Promise<ApiResponse>;

/** The endpoints of the tools, written out for the bundler. Each is loaded with its first call. */
const ENDPOINTS: Readonly<Record<ToolName, () => Promise<{ readonly handler: Handler }>>> = {
  'list-sites': () => import('./list-sites.ts'),
  'create-site': () => import('./create-site.ts'),
  'get-site': () => import('./get-site.ts'),
  'update-site': () => import('./update-site.ts'),
  'delete-site': () => import('./delete-site.ts'),
  'start-crawl': () => import('./start-crawl.ts'),
  'list-site-jobs': () => import('./list-site-jobs.ts'),
  'get-job': () => import('./get-job.ts'),
  'cancel-job': () => import('./cancel-job.ts'),
  'list-job-pages': () => import('./list-job-pages.ts'),
  'get-crawl-urls': () => import('./get-crawl-urls.ts'),
  'replace-crawl-urls': () => import('./replace-crawl-urls.ts'),
  'clear-crawl-urls': () => import('./clear-crawl-urls.ts'),
  'list-schedules': () => import('./list-schedules.ts'),
  'set-schedule': () => import('./set-schedule.ts'),
  'delete-schedule': () => import('./delete-schedule.ts'),
  'list-pages': () => import('./list-pages.ts'),
  'ingest-pages': () => import('./ingest-pages.ts'),
  'delete-pages': () => import('./delete-pages.ts'),
  'purge-site': () => import('./purge-site.ts'),
  'list-index-pages': () => import('./list-index-pages.ts'),
  'delete-index-pages': () => import('./delete-index-pages.ts'),
  'get-health': () => import('./get-health.ts'),
  'trace-url': () => import('./trace-url.ts'),
  'test-url': () => import('./test-url.ts'),
  'list-reviews': () => import('./list-reviews.ts'),
  'get-review': () => import('./get-review.ts'),
  'approve-review': () => import('./approve-review.ts'),
  'reject-review': () => import('./reject-review.ts'),
  'list-webhooks': () => import('./list-webhooks.ts'),
  'create-webhook': () => import('./create-webhook.ts'),
  'delete-webhook': () => import('./delete-webhook.ts'),
  'test-webhook': () => import('./test-webhook.ts'),
  'list-groups': () => import('./list-groups.ts'),
  'create-group': () => import('./create-group.ts'),
  'get-group': () => import('./get-group.ts'),
  'update-group': () => import('./update-group.ts'),
  'delete-group': () => import('./delete-group.ts'),
  'get-analytics': () => import('./get-analytics.ts'),
  'get-usage': () => import('./get-usage.ts'),
  'get-site-usage': () => import('./get-site-usage.ts'),
  'list-top-queries': () => import('./list-top-queries.ts'),
  'list-content-gaps': () => import('./list-content-gaps.ts'),
  'list-keys': () => import('./list-keys.ts'),
  'create-key': () => import('./create-key.ts'),
  'revoke-key': () => import('./revoke-key.ts'),
  'get-organisation': () => import('./get-organisation.ts'),
};

const CONTEXT = { getRemainingTimeInMillis: () => 28_000 } as never;

const run = async (name: ToolName, event: ApiEvent) => (await ENDPOINTS[name]()).handler(event, CONTEXT);

export const handler = endpoint(ownerMcp['call-owner-mcp'], ({ caller, query, ...call }) =>
  mcpReply(async () => ownerServer({ caller, write: query.write, run, ...call }), call),
);
