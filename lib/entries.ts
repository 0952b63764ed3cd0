import { type QueueDefinition, queues } from '../lambdas/messages.ts';
import { ENDPOINT_USES, otherFunctions, type Permissions } from '../lambdas/permissions.ts';
import type { Route } from '../lambdas/routes/route.ts';
import { type OperationName, routes } from '../lambdas/routes.ts';

/** The path in `lambdas/` of a function's file, without its extension. */
export type Entry = `api/${OperationName | 'fallback'}` | `workers/${string}`;

export const operations = Object.keys(routes) as readonly OperationName[];

const endpoints = operations.map((name): [Entry, Permissions] => [`api/${name}`, routes[name] as Route]);
const workers = (Object.values(queues) as readonly QueueDefinition[]).flatMap((queue): [Entry, Permissions][] =>
  queue.worker === undefined ? [] : [[`workers/${queue.worker}`, queue]],
);
const others = Object.entries(otherFunctions) as readonly [Entry, Permissions][];
const declared = new Map([...endpoints, ...workers, ...others]);

export const entries: readonly Entry[] = [...declared.keys()];

/** Returns a function's permissions, which its route, its queue or `otherFunctions` declares. */
export function permissionsOf(entry: Entry): Required<Permissions> {
  const permissions = declared.get(entry);
  if (!permissions) throw new Error(`no route and no queue has the function ${entry}`);
  const { uses = [], sends = [] } = permissions;
  return { uses: entry.startsWith('api/') ? [...ENDPOINT_USES, ...uses] : uses, sends };
}
