import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { SiteScope } from '../../../core/ports/page-index.ts';

/** A generation of a site in the index. Each write changes `version`, so that stale cache entries are detected. */
export type IndexPartition = {
  readonly id: number;
  readonly chunks: number;
  readonly terms: number;
  readonly version: number;
};

export class PartitionRows {
  readonly #database: DatabaseSync;
  readonly #select: StatementSync;
  readonly #insert: StatementSync;
  readonly #update: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#select = database.prepare(
      'SELECT id, chunks, terms, version FROM index_partition WHERE site_id = ? AND generation = ?',
    );
    this.#insert = database.prepare('INSERT INTO index_partition (site_id, generation) VALUES (?, ?)');
    this.#update = database.prepare(
      `UPDATE index_partition SET chunks = chunks + ?, terms = terms + ?, version = random() >> 12 WHERE id = ?
       RETURNING version`,
    );
  }

  find({ siteId, generation }: SiteScope): IndexPartition | undefined {
    return this.#select.get(siteId, generation) as IndexPartition | undefined;
  }

  largestNonEmpty(limit: number): readonly IndexPartition[] {
    const rows = this.#database
      .prepare('SELECT id, chunks, terms, version FROM index_partition WHERE chunks > 0 ORDER BY chunks DESC LIMIT ?')
      .all(limit);
    return rows as unknown as readonly IndexPartition[];
  }

  findOrCreate(scope: SiteScope): IndexPartition {
    const found = this.find(scope);
    if (found) return found;
    const { lastInsertRowid } = this.#insert.run(scope.siteId, scope.generation);
    return { id: Number(lastInsertRowid), chunks: 0, terms: 0, version: 0 };
  }

  /** Returns the new version. It is random, so that it differs from one that was rolled back. */
  addCounts(partition: number, chunks: number, terms: number): number {
    const row = this.#update.get(chunks, terms, partition);
    return Number(row?.version);
  }

  below(siteId: string, generation: number): readonly number[] {
    const rows = this.#database
      .prepare('SELECT id FROM index_partition WHERE site_id = ? AND generation < ? ORDER BY id')
      .all(siteId, generation);
    return rows.map(({ id }) => Number(id));
  }

  /** The pages must be deleted before. */
  drop(partition: number): void {
    this.#database.prepare('DELETE FROM index_lexicon WHERE partition_id = ?').run(partition);
    this.#database.prepare('DELETE FROM index_partition WHERE id = ?').run(partition);
  }
}
