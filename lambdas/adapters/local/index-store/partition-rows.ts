import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { SiteScope } from '../../../core/ports/page-index.ts';

/** A generation of a site in the index. Each write changes `version`, so that stale cache entries are detected. */
export type IndexPartition = {
  readonly id: number;
  readonly chunks: number;
  readonly terms: number;
  readonly version: number;
};

const MOST_KNOWN = 10_000;

export class PartitionRows {
  readonly #database: DatabaseSync;
  readonly #select: StatementSync;
  readonly #insert: StatementSync;
  readonly #update: StatementSync;
  readonly #dataVersion: StatementSync;
  /** Committed rows by site: a search of a group reads a hundred, several times. */
  readonly #known = new Map<string, { readonly generation: number; readonly row: IndexPartition | undefined }>();
  #knownVersion: unknown;
  #hasWritten = false;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#select = database.prepare(
      'SELECT id, chunks, terms, version FROM index_partition WHERE site_id = ? AND generation = ?',
    );
    this.#insert = database.prepare('INSERT INTO index_partition (site_id, generation) VALUES (?, ?)');
    this.#update = database.prepare(
      `UPDATE index_partition SET chunks = chunks + ?, terms = terms + ?, version = random() >> 12 WHERE id = ?`,
    );
    this.#dataVersion = database.prepare('PRAGMA data_version');
  }

  find({ siteId, generation }: SiteScope): IndexPartition | undefined {
    return this.#select.get(siteId, generation) as IndexPartition | undefined;
  }

  /** In the order of the scopes. */
  findAll(scopes: readonly SiteScope[]): readonly (IndexPartition | undefined)[] {
    // A transaction may read rows that are rolled back later, so they are not remembered.
    if (this.#database.isTransaction) return scopes.map((scope) => this.find(scope));
    this.#forgetIfChanged();
    return scopes.map((scope) => {
      const known = this.#known.get(scope.siteId);
      if (known?.generation === scope.generation) return known.row;
      const row = this.find(scope);
      this.#known.set(scope.siteId, { generation: scope.generation, row });
      return row;
    });
  }

  /** The version of the data changes when another connection, of any process, commits. */
  #forgetIfChanged(): void {
    const version = this.#dataVersion.get()?.data_version;
    if (version !== this.#knownVersion || this.#hasWritten || this.#known.size > MOST_KNOWN) this.#known.clear();
    this.#knownVersion = version;
    this.#hasWritten = false;
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
    this.#hasWritten = true;
    const { lastInsertRowid } = this.#insert.run(scope.siteId, scope.generation);
    return { id: Number(lastInsertRowid), chunks: 0, terms: 0, version: 0 };
  }

  /** The new version is random, so that it differs from one that was rolled back. */
  addCounts(partition: number, chunks: number, terms: number): void {
    this.#hasWritten = true;
    this.#update.run(chunks, terms, partition);
  }

  below(siteId: string, generation: number): readonly number[] {
    const rows = this.#database
      .prepare('SELECT id FROM index_partition WHERE site_id = ? AND generation < ? ORDER BY id')
      .all(siteId, generation);
    return rows.map(({ id }) => Number(id));
  }

  /** The pages must be deleted before. */
  drop(partition: number): void {
    this.#hasWritten = true;
    for (const rows of [
      'index_segment_part WHERE segment IN (SELECT id FROM index_segment WHERE partition_id = ?)',
      'index_segment WHERE partition_id = ?',
      'index_deletion WHERE partition_id = ?',
    ])
      this.#database.prepare(`DELETE FROM ${rows}`).run(partition);
    this.#database.prepare('DELETE FROM index_partition WHERE id = ?').run(partition);
  }
}
