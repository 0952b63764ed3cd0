import type { QueueName } from './messages.ts';

/**
 * What a function uses. A function that only reads uses the reader's port, and its role cannot write. The writer's port
 * includes reading.
 */
export type Port =
  | 'table-reader'
  | 'table'
  | 'timetable'
  | 'page-store-reader'
  | 'page-store'
  | 'index-reader'
  | 'page-index'
  | 'index-moves'
  | 'index-admin'
  | 'event-reader'
  | 'event-log'
  | 'event-sink'
  | 'edge-logs'
  | 'web-files'
  | 'embedder'
  | 'chat-model'
  | 'page-renderer';

/**
 * The permissions of a function, declared by its route, its queue or `otherFunctions`. The stack grants them, and
 * test/lib/permissions.test.ts compares them with the code.
 */
export type Permissions = {
  /** @default none */
  readonly uses?: readonly Port[];
  /** The queues to which the function sends. @default none */
  readonly sends?: readonly QueueName[];
};

/**
 * Every endpoint uses this port for keys, sites and rate limits (runtime/endpoint.ts), so its route does not declare
 * it.
 */
export const ENDPOINT_USES = ['table-reader'] as const satisfies readonly Port[];

/** Permissions of the functions that have neither a route nor a queue. */
export const otherFunctions = {
  'api/fallback': {},
  'workers/watchdog': {
    uses: ['table', 'page-store', 'page-index', 'embedder'],
    sends: ['crawl', 'render', 'move-index', 'clean-up', 'webhooks'],
  },
  'workers/collect-events': { sends: ['telemetry'] },
  'workers/expire-events': { uses: ['event-log'] },
  'workers/create-index': { uses: ['table', 'index-admin', 'embedder'], sends: ['move-index'] },
  'workers/publish-web-files': { uses: ['web-files'] },
} as const satisfies Readonly<Record<string, Permissions>>;
