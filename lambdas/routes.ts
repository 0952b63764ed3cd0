import { analytics } from './routes/analytics.ts';
import { chat } from './routes/chat.ts';
import { content } from './routes/content.ts';
import { crawl } from './routes/crawl.ts';
import { groups } from './routes/groups.ts';
import { health } from './routes/health.ts';
import { inspection } from './routes/inspection.ts';
import { keys } from './routes/keys.ts';
import { mcp } from './routes/mcp.ts';
import { ownerMcp } from './routes/owner-mcp.ts';
import { pages } from './routes/pages.ts';
import { preview } from './routes/preview.ts';
import { reviews } from './routes/reviews.ts';
import type { Route } from './routes/route.ts';
import { search } from './routes/search.ts';
import { sites } from './routes/sites.ts';
import { webhooks } from './routes/webhooks.ts';

/** All routes by resource. Each resource is a tag of the API reference. */
export const resources = {
  sites,
  crawl,
  content,
  health,
  inspection,
  preview,
  reviews,
  webhooks,
  groups,
  search,
  pages,
  chat,
  mcp: { ...mcp, ...ownerMcp },
  analytics,
  keys,
} as const satisfies Record<string, Record<string, Route>>;

/** All routes by operationId, which is also the file name in `api/` and the construct's id. */
export const routes = {
  ...sites,
  ...crawl,
  ...content,
  ...health,
  ...inspection,
  ...preview,
  ...reviews,
  ...webhooks,
  ...groups,
  ...search,
  ...pages,
  ...chat,
  ...mcp,
  ...ownerMcp,
  ...analytics,
  ...keys,
} as const satisfies Record<string, Route>;

export type OperationName = keyof typeof routes;
