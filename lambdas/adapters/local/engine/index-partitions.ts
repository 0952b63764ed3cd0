import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { SiteScope } from '../../../core/ports/page-index.ts';

/** A site's generation in the index. `version` is another after every write, so that what is remembered of it can be told to be stale. */
export type IndexSpace = {
  readonly id: number;
  readonly chunks: number;
  readonly terms: number;
  readonly version: number;
};

/** Finds, makes and drops spaces. */
export class IndexSpaces {
  readonly #database: DatabaseSync;
  readonly #select: StatementSync;
  readonly #insert: StatementSync;
  readonly #change: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#select = database.prepare(
      'SELECT id, chunks, terms, version FROM index_space WHERE site_id = ? AND generation = ?',
    );
    this.#insert = database.prepare('INSERT INTO index_space (site_id, generation) VALUES (?, ?)');
    this.#change = database.prepare(
      `UPDATE index_space SET chunks = chunks + ?, terms = terms + ?, version = random() >> 12 WHERE id = ? RETURNING version`,
    );
  }

  find({ siteId, generation }: SiteScope): IndexSpace | undefined {
    return this.#select.get(siteId, generation) as IndexSpace | undefined;
  }

  /** Those that hold pages, the largest first. */
  largest(limit: number): readonly IndexSpace[] {
    const rows = this.#database
      .prepare('SELECT id, chunks, terms, version FROM index_space WHERE chunks > 0 ORDER BY chunks DESC LIMIT ?')
      .all(limit);
    return rows as unknown as readonly IndexSpace[];
  }

  make(scope: SiteScope): IndexSpace {
    const found = this.find(scope);
    if (found) return found;
    const { lastInsertRowid } = this.#insert.run(scope.siteId, scope.generation);
    return { id: Number(lastInsertRowid), chunks: 0, terms: 0, version: 0 };
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
    this.#database.prepare('DELETE FROM index_lexicon WHERE space = ?').run(space);
    this.#database.prepare('DELETE FROM index_space WHERE id = ?').run(space);
  }
}
