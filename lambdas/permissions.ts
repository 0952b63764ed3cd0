import type { QueueName } from './messages.ts';

/**
 * What functions use. A function that only reads uses the reader's port, and its role can write nothing; the writer's
 * port includes reading.
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
  | 'embedder'
  | 'chat-model'
  | 'page-renderer';

/** Declared by each route and queue, and here. The stack grants this; test/lib/permissions.test.ts compares the code. */
export type Permissions = {
  /** @default none */
  readonly uses?: readonly Port[];
  /** The queues that its code sends to. @default none */
  readonly sends?: readonly QueueName[];
};

/** Every endpoint needs it for keys, sites and rate limits (runtime/endpoint.ts), so its route does not name it. */
export const ENDPOINT_USES = ['table-reader'] as const satisfies readonly Port[];

/** The functions without a route and a queue. */
export const otherFunctions = {
  'api/fallback': {},
  'workers/watchdog': {
    uses: ['table', 'page-store', 'page-index', 'embedder'],
    sends: ['crawl', 'render', 'move-index', 'clean-up', 'webhooks'],
  },
  'workers/collect-events': { sends: ['telemetry'] },
  'workers/expire-events': { uses: ['event-log'] },
  'workers/create-index': { uses: ['table', 'index-admin', 'embedder'], sends: ['move-index'] },
} as const satisfies Readonly<Record<string, Permissions>>;
