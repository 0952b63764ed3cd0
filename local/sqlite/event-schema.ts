import { COUNTS, QUERY_COUNTS } from '../../lambdas/domain/ports/rules/event-counts.ts';

/** Returns assignments that change each count by a term. */
const counted = (names: readonly string[], term: (name: string) => string): string =>
  names.map((name) => `${name} = ${name} ${term(name)}`).join(', ');
const columns = (names: readonly string[]): string => names.map((name) => `${name} INTEGER NOT NULL`).join(', ');
const listed = (names: readonly string[], from = ''): string => names.map((name) => from + name).join(', ');

/**
 * Returns triggers that apply each change of a site's counts to its organisation's. `key` lists the columns that differ
 * between the two. `find` selects the organisation's values of these columns for a row of the site.
 */
const totals = (
  table: string,
  names: readonly string[],
  [key, find]: readonly [key: string, find: (row: string) => string],
  { added = '', removed = '' } = {},
): string => `
  CREATE TRIGGER IF NOT EXISTS ${table}_added AFTER INSERT ON ${table} BEGIN
    ${added}
    INSERT INTO ${table} (${key}, day, ${listed(names)})
      SELECT *, NEW.day, ${listed(names, 'NEW.')} FROM (${find('NEW')})
      WHERE true ON CONFLICT DO UPDATE SET ${counted(names, (name) => `+ excluded.${name}`)};
  END;
  CREATE TRIGGER IF NOT EXISTS ${table}_changed AFTER UPDATE ON ${table} BEGIN
    UPDATE ${table} SET ${counted(names, (name) => `+ NEW.${name} - OLD.${name}`)}
      WHERE (${key}) = (${find('NEW')}) AND day = NEW.day;
  END;
  CREATE TRIGGER IF NOT EXISTS ${table}_removed AFTER DELETE ON ${table} BEGIN
    UPDATE ${table} SET ${counted(names, (name) => `- OLD.${name}`)}
      WHERE (${key}) = (${find('OLD')}) AND day = OLD.day;
    ${removed}
  END;
`;

const totalOfQuery = (row: string): string => `SELECT scope, total FROM site_query WHERE query = ${row}.query`;

/**
 * The tables of events, added to a file that has none. Counts are stored twice: for the site, and for its organisation
 * under the empty site id. Days are counted from 1970. A change by a trigger may fire the same trigger again.
 */
export const EVENT_SCHEMA = `
  PRAGMA recursive_triggers = ON;

  CREATE TABLE IF NOT EXISTS event_scope (
    id INTEGER PRIMARY KEY,
    org_id TEXT NOT NULL,
    site_id TEXT NOT NULL,
    UNIQUE (org_id, site_id)
  ) STRICT;

  CREATE TABLE IF NOT EXISTS event (
    scope INTEGER NOT NULL,
    day INTEGER NOT NULL,
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (scope, day, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS day_count (
    scope INTEGER NOT NULL,
    day INTEGER NOT NULL,
    ${columns(COUNTS)},
    PRIMARY KEY (scope, day)
  ) STRICT, WITHOUT ROWID;

  -- frequent_on: the last day on which enough visitors searched for the query to suggest it.
  CREATE TABLE IF NOT EXISTS counted_query (
    id INTEGER PRIMARY KEY,
    scope INTEGER NOT NULL,
    text TEXT NOT NULL,
    frequent_on INTEGER,
    UNIQUE (scope, text)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS frequent_query ON counted_query (scope, text) WHERE frequent_on IS NOT NULL;

  -- By day, so that the rows that a batch changes are next to each other.
  CREATE TABLE IF NOT EXISTS query_day (
    scope INTEGER NOT NULL,
    day INTEGER NOT NULL,
    query INTEGER NOT NULL,
    ${columns(QUERY_COUNTS)},
    PRIMARY KEY (scope, day, query)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS query_day_query ON query_day (query, day);
  CREATE INDEX IF NOT EXISTS query_day_searches ON query_day (scope, day, searches) WHERE searches > 0;
  CREATE INDEX IF NOT EXISTS query_day_empty ON query_day (scope, day, emptySearches) WHERE emptySearches > 0;
  CREATE INDEX IF NOT EXISTS query_day_refused ON query_day (scope, day, refusedChats) WHERE refusedChats > 0;

  -- What the events of a site or of groups have taken of a day: queries that are counted, characters that are kept.
  CREATE TABLE IF NOT EXISTS day_room (
    scope INTEGER NOT NULL,
    day INTEGER NOT NULL,
    queries INTEGER NOT NULL,
    length INTEGER NOT NULL,
    PRIMARY KEY (scope, day)
  ) STRICT, WITHOUT ROWID;

  -- Needed only while the visitors of a day are counted.
  CREATE TABLE IF NOT EXISTS query_visitor (
    day INTEGER NOT NULL,
    scope INTEGER NOT NULL,
    query INTEGER NOT NULL,
    visitor TEXT NOT NULL,
    PRIMARY KEY (day, scope, query, visitor)
  ) STRICT, WITHOUT ROWID;

  CREATE VIEW IF NOT EXISTS site_scope AS
    SELECT own.id AS site, whole.id AS total FROM event_scope AS own
    JOIN event_scope AS whole ON whole.org_id = own.org_id AND whole.site_id = '' WHERE own.site_id <> '';
  CREATE VIEW IF NOT EXISTS site_query AS
    SELECT own.id AS query, total AS scope, whole.id AS total FROM counted_query AS own
    JOIN site_scope ON site = own.scope JOIN counted_query AS whole ON whole.scope = total AND whole.text = own.text;
  CREATE TRIGGER IF NOT EXISTS query_day_zero AFTER UPDATE ON query_day
    WHEN ${QUERY_COUNTS.map((name) => `NEW.${name} = 0`).join(' AND ')} BEGIN
    DELETE FROM query_day WHERE scope = NEW.scope AND day = NEW.day AND query = NEW.query;
  END;
  ${totals('day_count', COUNTS, ['scope', (row) => `SELECT total FROM site_scope WHERE site = ${row}.scope`])}
  ${totals('query_day', QUERY_COUNTS, ['scope, query', totalOfQuery], {
    added: `INSERT INTO counted_query (scope, text)
      SELECT total, text FROM counted_query JOIN site_scope ON site = scope
      WHERE id = NEW.query ON CONFLICT DO NOTHING;`,
    removed: `DELETE FROM query_visitor WHERE day = OLD.day AND scope = OLD.scope AND query = OLD.query;
    DELETE FROM counted_query WHERE id = OLD.query AND NOT EXISTS (SELECT 1 FROM query_day WHERE query = OLD.query);`,
  })}
`;
