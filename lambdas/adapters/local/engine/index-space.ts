import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { SiteScope } from '../../ports.ts';

/** A site's generation in the index. `version` is another after every write, so that what is remembered of it can be told to be stale. */
export type IndexSpace = {
  readonly id: number;
  readonly chunks: number;
  readonly terms: number;
  readonly version: number;
};

export const wordsTable = (space: number): string => `index_words_${space}`;
export const vocabularyTable = (space: number): string => `index_vocabulary_${space}`;

/** Terms are made by core/language: all that is no blank belongs to a term. Deletions need no old text. */
const TOKENS = `tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"`;

/** Opens, makes and drops spaces, and keeps prepared statements on their own tables, the latest used ones. */
export class IndexSpaces {
  readonly #database: DatabaseSync;
  readonly #select: StatementSync;
  readonly #change: StatementSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#select = database.prepare(
      'SELECT id, chunks, terms, version FROM index_space WHERE site_id = ? AND generation = ?',
    );
    this.#change = database.prepare(
      `UPDATE index_space SET chunks = chunks + ?, terms = terms + ?, version = random() >> 12 WHERE id = ? RETURNING version`,
    );
  }

  find({ siteId, generation }: SiteScope): IndexSpace | undefined {
    return this.#select.get(siteId, generation) as IndexSpace | undefined;
  }

  make(scope: SiteScope): IndexSpace {
    const found = this.find(scope);
    if (found) return found;
    const { lastInsertRowid } = this.#database
      .prepare('INSERT INTO index_space (site_id, generation) VALUES (?, ?)')
      .run(scope.siteId, scope.generation);
    const id = Number(lastInsertRowid);
    this.#database.exec(`
      CREATE VIRTUAL TABLE ${wordsTable(id)} USING fts5 (terms, content = '', contentless_delete = 1, ${TOKENS});
      CREATE VIRTUAL TABLE ${vocabularyTable(id)} USING fts5vocab (${wordsTable(id)}, 'row');`);
    return { id, chunks: 0, terms: 0, version: 0 };
  }

  /** Counts what a write has added or removed, and answers the new version: drawn by chance, for that of a write undone must not come again. */
  change(space: number, chunks: number, terms: number): number {
    const row = this.#change.get(chunks, terms, space);
    return Number(row?.version);
  }

  below(siteId: string, generation: number): readonly number[] {
    const rows = this.#database
      .prepare('SELECT id FROM index_space WHERE site_id = ? AND generation < ? ORDER BY id')
      .all(siteId, generation);
    return rows.map(({ id }) => Number(id));
  }

  drop(space: number): void {
    for (const sql of this.#statements.keys()) if (sql.includes(`_${space} `)) this.#statements.delete(sql);
    this.#database.exec(`DROP TABLE ${vocabularyTable(space)}; DROP TABLE ${wordsTable(space)};`);
    this.#database.prepare('DELETE FROM index_space WHERE id = ?').run(space);
  }

  /** A statement that names a space's own tables; kept, for compiling takes longer than running it. */
  statement(sql: string): StatementSync {
    const kept = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.delete(sql);
    this.#statements.set(sql, kept);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size > MOST_STATEMENTS && oldest !== undefined) this.#statements.delete(oldest);
    return kept;
  }
}

const MOST_STATEMENTS = 200;
