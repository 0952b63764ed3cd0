import type { DatabaseSync } from 'node:sqlite';
import { indexWithoutFts5 } from './index-without-fts5.ts';

/** Marks the file as ours in SQLite's header ("SSCH"). */
export const APPLICATION_ID = 0x53534348;

/**
 * What turns a file of format n into one of format n + 1; a new file runs through all of them.
 * A step that has been released is never changed: a new one follows it.
 */
const steps: readonly (string | ((database: DatabaseSync) => void))[] = [
  `
  CREATE TABLE item (
    pk TEXT NOT NULL,
    sk TEXT NOT NULL,
    value TEXT NOT NULL,
    expires_at REAL,
    PRIMARY KEY (pk, sk)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX item_expiry ON item (expires_at) WHERE expires_at IS NOT NULL;

  -- The order of ids is the order of sending. Times are epoch milliseconds.
  -- In flight is a message that has a receipt and is not visible yet.
  CREATE TABLE message (
    id INTEGER PRIMARY KEY,
    queue TEXT NOT NULL,
    message_group TEXT,
    body TEXT NOT NULL,
    visible_at INTEGER NOT NULL,
    receive_count INTEGER NOT NULL DEFAULT 0,
    receipt TEXT UNIQUE
  ) STRICT;
  CREATE INDEX message_due ON message (queue, visible_at);
  CREATE INDEX message_order ON message (queue, message_group, id) WHERE message_group IS NOT NULL;
  CREATE INDEX message_worn ON message (queue, receive_count) WHERE receive_count > 0;

  CREATE TABLE deduplication (
    queue TEXT NOT NULL,
    deduplication_id TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (queue, deduplication_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX deduplication_expiry ON deduplication (expires_at);

  -- With row ids, because a row is larger than a B-tree page is good for: the keys alone are scanned.
  CREATE TABLE page (
    id INTEGER PRIMARY KEY,
    site_id TEXT NOT NULL,
    generation INTEGER NOT NULL,
    url_hash TEXT NOT NULL,
    revision INTEGER NOT NULL,
    body BLOB NOT NULL,
    UNIQUE (site_id, generation, url_hash, revision)
  ) STRICT;

  -- Ids are never given again, and a version is drawn anew at every write: what is remembered of them cannot mean another one.
  -- A site's generation in the index. Its words lie in an FTS5 table of its own (index-space.ts), so that idf is the site's own.
  CREATE TABLE index_space (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    site_id TEXT NOT NULL,
    generation INTEGER NOT NULL,
    chunks INTEGER NOT NULL DEFAULT 0,
    terms INTEGER NOT NULL DEFAULT 0,
    version INTEGER NOT NULL DEFAULT 0,
    UNIQUE (site_id, generation)
  ) STRICT;

  CREATE TABLE index_page (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    space INTEGER NOT NULL,
    url_hash TEXT NOT NULL,
    revision INTEGER NOT NULL,
    url TEXT NOT NULL,
    path TEXT NOT NULL,
    title TEXT NOT NULL,
    title_terms TEXT NOT NULL,
    title_length INTEGER NOT NULL,
    language TEXT,
    summary TEXT,
    tags TEXT NOT NULL,
    facts TEXT NOT NULL,
    published_at TEXT,
    crawled_at TEXT NOT NULL,
    words TEXT NOT NULL,
    sought TEXT NOT NULL,
    UNIQUE (space, url_hash)
  ) STRICT;
  CREATE INDEX index_page_url ON index_page (space, url);

  -- What is read for every candidate stands first: SQLite walks a long row from its beginning.
  CREATE TABLE index_chunk (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    page INTEGER NOT NULL,
    ord INTEGER NOT NULL,
    length INTEGER NOT NULL,
    block TEXT,
    terms TEXT NOT NULL,
    headings TEXT NOT NULL,
    text TEXT NOT NULL,
    vector_start INTEGER,
    vector_length INTEGER,
    vector BLOB,
    UNIQUE (page, ord)
  ) STRICT;
  `,
  indexWithoutFts5,
  'ALTER TABLE index_page ADD COLUMN metadata TEXT',
  // The list of all sites, beside those of the organisations.
  `INSERT INTO item (pk, sk, value)
   SELECT 'SITES', sk, '{}' FROM item WHERE pk LIKE 'ORG#%' AND sk LIKE 'SITE#%'`,
];

/** What this version writes. */
export const FORMAT = steps.length;

/** Brings a file from one format to another, in the transaction that is open. */
export function bringToFormat(database: DatabaseSync, from = 0, to = FORMAT): void {
  for (const step of steps.slice(from, to)) {
    if (typeof step === 'string') database.exec(step);
    else step(database);
  }
}
