import { chat } from './routes/chat.ts';
import { content } from './routes/content.ts';
import { crawl } from './routes/crawl.ts';
import { figures } from './routes/figures.ts';
import { groups } from './routes/groups.ts';
import { keys } from './routes/keys.ts';
import { reviews } from './routes/reviews.ts';
import type { Route } from './routes/route.ts';
import { search } from './routes/search.ts';
import { sites } from './routes/sites.ts';

/** The whole API, by resource. */
export const resources = {
  sites,
  crawl,
  content,
  reviews,
  groups,
  search,
  chat,
  figures,
  keys,
} as const satisfies Record<string, Record<string, Route>>;

/** The whole API, by operation: the key is the operationId, the file in `api/` and the construct's id. */
export const routes = {
  ...sites,
  ...crawl,
  ...content,
  ...reviews,
  ...groups,
  ...search,
  ...chat,
  ...figures,
  ...keys,
} as const satisfies Record<string, Route>;

export type OperationName = keyof typeof routes;
