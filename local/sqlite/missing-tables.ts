import { DatabaseSync } from 'node:sqlite';
import { EVENT_SCHEMA } from './event-schema.ts';
import { SCHEMA } from './schema.ts';
import { WAY_OUT } from './store-error.ts';

/** Tables whose rows are stored nowhere else. */
const ORIGINALS: readonly string[] = ['item', 'page'];
const isOfIndex = ({ table }: SchemaObject): boolean => table.startsWith('index_');

type SchemaObject = { readonly type: string; readonly name: string; readonly table: string; readonly sql: string };

/**
 * Creates the tables that a file has lost, and returns their names. The search index is then rebuilt. Queues and
 * analytics start empty. Throws if the file cannot be used without one of the tables.
 */
export function remakeTables(database: DatabaseSync, file: string): readonly string[] {
  const missing = missingObjects(database);
  const original = missing.find(({ name }) => ORIGINALS.includes(name));
  if (original) throw new Error(`${file} lacks the table "${original.name}": ${WAY_OUT}`);
  // All tables of the index are rebuilt, because their rows refer to each other.
  if (missing.some((object) => object.type === 'table' && isOfIndex(object)))
    for (const { name } of expectedObjects().filter(isOfIndex)) database.exec(`DROP TABLE IF EXISTS "${name}"`);
  for (const { sql } of missingObjects(database)) database.exec(sql);
  return missing.filter(({ type }) => type === 'table').map(({ name }) => name);
}

function missingObjects(database: DatabaseSync): readonly SchemaObject[] {
  const names = new Set(objectsOf(database).map(({ name }) => name));
  return expectedObjects().filter(({ name }) => !names.has(name));
}

function expectedObjects(): readonly SchemaObject[] {
  const model = new DatabaseSync(':memory:');
  model.exec(SCHEMA + EVENT_SCHEMA);
  const objects = objectsOf(model);
  model.close();
  return objects;
}

/** Returns objects in the order of their creation, without those that SQLite creates for itself. */
const objectsOf = (database: DatabaseSync): readonly SchemaObject[] =>
  database
    .prepare('SELECT type, name, tbl_name AS "table", sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid')
    .all() as unknown as readonly SchemaObject[];
