export const FILE_NAME = 'site-search.sqlite';

/** Identifies the file in SQLite's header ("SSCH"). */
export const APPLICATION_ID = 0x53534348;

/** The format of the file. Lower numbers than `OLDEST` were never released. */
export const FORMAT = 9;
/** The oldest format that is read. It lacks the triggers of `EVENT_SCHEMA`, which are added when the file is opened. */
export const OLDEST = 8;

export const SCHEMA = `
  CREATE TABLE item (
    pk TEXT NOT NULL,
    sk TEXT NOT NULL,
    value TEXT NOT NULL,
    expires_at REAL,
    PRIMARY KEY (pk, sk)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX item_expiry ON item (expires_at) WHERE expires_at IS NOT NULL;

  -- Messages are sent in the order of their ids. Times are epoch milliseconds.
  -- A message is in flight if it has a receipt and is not visible yet.
  CREATE TABLE message (
    id INTEGER PRIMARY KEY,
    queue TEXT NOT NULL,
    message_group TEXT,
    body TEXT NOT NULL,
    visible_at INTEGER NOT NULL,
    -- When visible_at was set.
    set_at INTEGER NOT NULL,
    receive_count INTEGER NOT NULL DEFAULT 0,
    receipt TEXT UNIQUE
  ) STRICT;
  CREATE INDEX message_due ON message (queue, visible_at);
  CREATE INDEX message_order ON message (queue, message_group, id) WHERE message_group IS NOT NULL;
  CREATE INDEX message_received ON message (queue, receive_count) WHERE receive_count > 0;

  CREATE TABLE deduplication (
    queue TEXT NOT NULL,
    deduplication_id TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (queue, deduplication_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX deduplication_expiry ON deduplication (expires_at);

  -- With row ids: a page is larger than a B-tree page, so scans of the key alone must not read it.
  CREATE TABLE page (
    id INTEGER PRIMARY KEY,
    site_id TEXT NOT NULL,
    generation INTEGER NOT NULL,
    url_hash TEXT NOT NULL,
    revision INTEGER NOT NULL,
    body BLOB NOT NULL,
    UNIQUE (site_id, generation, url_hash, revision)
  ) STRICT;

  -- A generation of a site in the search index. Each has its own term statistics, so that idf is the site's own.
  -- Ids are never reused, and each write draws a new version: a cache entry for an id and a version cannot be stale.
  CREATE TABLE index_partition (
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
    partition_id INTEGER NOT NULL,
    url_hash TEXT NOT NULL,
    revision INTEGER NOT NULL,
    chunks INTEGER NOT NULL,
    terms INTEGER NOT NULL,
    url TEXT NOT NULL,
    path TEXT NOT NULL,
    title TEXT NOT NULL,
    title_length INTEGER NOT NULL,
    language TEXT,
    summary TEXT,
    -- Lists are JSON.
    aliases TEXT NOT NULL,
    tags TEXT NOT NULL,
    facts TEXT NOT NULL,
    metadata TEXT,
    published_at TEXT,
    crawled_at TEXT NOT NULL,
    -- Title and URL in lower case.
    search_text TEXT NOT NULL,
    UNIQUE (partition_id, url_hash)
  ) STRICT;
  CREATE INDEX index_page_url ON index_page (partition_id, url);

  CREATE TABLE index_chunk (
    id INTEGER PRIMARY KEY,
    page INTEGER NOT NULL,
    ord INTEGER NOT NULL,
    -- With the sections (page-batch.ts).
    headings TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (page, ord)
  ) STRICT;

  -- The pages of a partition as searches read them (segment-format.ts). Segments never change: others replace them.
  CREATE TABLE index_segment (
    id INTEGER PRIMARY KEY,
    partition_id INTEGER NOT NULL,
    -- The ids of its first and last page. Those of the segments of a partition do not overlap.
    first_page INTEGER NOT NULL,
    last_page INTEGER NOT NULL,
    chunks INTEGER NOT NULL,
    size INTEGER NOT NULL,
    format INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX index_segment_pages ON index_segment (partition_id, first_page);

  -- The bytes of a segment in pieces.
  CREATE TABLE index_segment_part (
    segment INTEGER NOT NULL,
    part INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (segment, part)
  ) STRICT;

  -- Pages that a segment still has, though they were deleted.
  CREATE TABLE index_deletion (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    partition_id INTEGER NOT NULL,
    page INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX index_deletion_page ON index_deletion (partition_id, page);
`;
