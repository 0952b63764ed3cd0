import type { Entry } from './entries.ts';

/*
 * The partitions of the table that functions may write, by the start of their keys. Reads are not restricted: an API
 * key is stored as a hash.
 */

/**
 * Counters and secrets: rate limits, the last use of keys, the cost of models for an organisation, and the daily secret
 * of visitors' names.
 */
export const NOTES = ['RATE#*', 'USED#*', 'USAGE#*', 'VISITORS'];

const PAGES = ['SITE#*', 'JOB#*', 'PENDING', 'OUTBOX', 'VECTOR#*', 'SCALE#*', 'METADATA#*'];
const CRAWL = [...PAGES, 'RUNNING', 'REVIEW#*'];
const CHAT = ['CHAT#*', 'SITE#*', 'GROUP#*'];
const KEYS = ['KEY#*', 'ORG#*'];
/** The cache of vectors, and the scale of their cosines. */
const VECTORS = ['VECTOR#*', 'SCALE#*'];

/** The partitions for functions that meet the public or the web, or that manage keys. */
export const WRITTEN: Readonly<Partial<Record<Entry, readonly string[]>>> = {
  'api/chat-with-site': CHAT,
  'api/chat-with-group': CHAT,
  'api/preview-search': CHAT,
  'workers/crawl-slice': CRAWL,
  'workers/render-slice': CRAWL,
  'api/list-content-gaps': VECTORS,
  'api/create-key': KEYS,
  'api/revoke-key': KEYS,
};

/**
 * The partitions for all other functions, which callers with a key, queues or schedules start. They exclude API keys.
 */
export const OTHERS_WRITE = [
  ...[...PAGES, 'RUNNING', 'REVIEW#*', 'CHAT#*', 'GROUP#*'],
  ...['ORG#*', 'SITES', 'DELETED', 'DELIVERIES', 'SPACE'],
];
