import type { Entry } from './entries.ts';

/*
 * Which partitions of the one table functions may write, by the beginnings of their keys. Reads are not divided: a key
 * of the API is stored as a hash.
 */

/** Rate limits, the last use of keys, what models cost an organisation, and the daily secret of visitors' names. */
export const NOTES = ['RATE#*', 'USED#*', 'USAGE#*', 'VISITORS'];

const PAGES = ['SITE#*', 'JOB#*', 'PENDING', 'OUTBOX', 'VECTOR#*', 'SCALE#*', 'METADATA#*'];
const CRAWL = [...PAGES, 'RUNNING', 'REVIEW#*'];
const CHAT = ['CHAT#*', 'SITE#*', 'GROUP#*'];
const KEYS = ['KEY#*', 'ORG#*'];
/** The cache of vectors, and how their cosines are read. */
const VECTORS = ['VECTOR#*', 'SCALE#*'];

/** What functions write that meet the public or the web, or manage keys. */
export const WRITTEN: Readonly<Partial<Record<Entry, readonly string[]>>> = {
  'api/chat-with-site': CHAT,
  'api/chat-with-group': CHAT,
  'workers/crawl-slice': CRAWL,
  'workers/render-slice': CRAWL,
  'api/list-content-gaps': VECTORS,
  'api/create-key': KEYS,
  'api/revoke-key': KEYS,
};

/** What others write, which are started by callers with a key, by queues or by schedules: all but keys. */
export const OTHERS_WRITE = [
  ...[...PAGES, 'RUNNING', 'REVIEW#*', 'CHAT#*', 'GROUP#*'],
  ...['ORG#*', 'SITES', 'DELETED', 'DELIVERIES', 'SPACE'],
];
