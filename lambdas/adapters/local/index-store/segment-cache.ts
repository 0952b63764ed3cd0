import type { DatabaseSync } from 'node:sqlite';
import type { SiteScope } from '../../../core/ports/page-index.ts';
import type { OpenSite } from '../../../search-engine/open-site.ts';
import type { Segment } from '../../../search-engine/segment.ts';
import type { IndexPartition, PartitionRows } from './partition-rows.ts';
import { SegmentRows } from './segment-rows.ts';

const MAX_BYTES = 1e9;
/** More are forgotten and read again. */
const MAX_DELETED_IDS = 10_000;

type CachedPartition = {
  version: number;
  segments: ReadonlyMap<number, Segment>;
  /** The pages that were deleted, and the last of these deletions: segments that are opened later need them too. */
  deleted: number[];
  lastDeletion: number;
};

const NOTHING: OpenSite = { chunks: 0, terms: 0, segments: [] };

/** Keeps the segments of partitions open. The least recently used partitions are closed. */
export class SegmentCache {
  readonly #partitionRows: PartitionRows;
  readonly #rows: SegmentRows;
  readonly #partitions = new Map<number, CachedPartition>();

  constructor(database: DatabaseSync, partitions: PartitionRows) {
    this.#partitionRows = partitions;
    this.#rows = new SegmentRows(database);
  }

  /** The segments of partitions as they are now, in the order of the scopes. */
  of(scopes: readonly SiteScope[]): readonly OpenSite[] {
    return this.#partitionRows.findAll(scopes).map((partition) => (partition ? this.open(partition) : NOTHING));
  }

  open(partition: IndexPartition): OpenSite {
    const { id, version } = partition;
    const known = this.#partitions.get(id);
    const cached = known?.version === version ? known : this.#refresh(partition, known);
    this.#partitions.delete(id);
    this.#partitions.set(id, cached);
    if (cached !== known) this.#evict();
    return { chunks: partition.chunks, terms: partition.terms, segments: [...cached.segments.values()] };
  }

  /** A transaction that was read from has been rolled back. */
  clear(): void {
    this.#partitions.clear();
  }

  /** Opening more would close others. */
  get isFull(): boolean {
    return this.#bytes > MAX_BYTES / 2;
  }

  #refresh({ id, version }: IndexPartition, known: CachedPartition | undefined): CachedPartition {
    const before = known && known.deleted.length <= MAX_DELETED_IDS ? known : { deleted: [], lastDeletion: 0 };
    const deletions = this.#rows.deletionsAfter(id, before.lastDeletion);
    const pages = deletions.map(({ page }) => page);
    const deleted = [...before.deleted, ...pages];
    const segments = new Map(
      this.#rows.of(id).map((row) => {
        const open = known?.segments.get(row.id);
        const segment = open ?? this.#rows.open(row);
        for (const page of open ? pages : deleted) segment.delete(page);
        return [row.id, segment] as const;
      }),
    );
    return { version, segments, deleted, lastDeletion: deletions.at(-1)?.id ?? before.lastDeletion };
  }

  get #bytes(): number {
    return [...this.#partitions.values()].reduce((sum, cached) => sum + bytesOf(cached), 0);
  }

  #evict(): void {
    let bytes = this.#bytes;
    for (const [partition, cached] of this.#partitions) {
      if (bytes <= MAX_BYTES || this.#partitions.size === 1) return;
      this.#partitions.delete(partition);
      bytes -= bytesOf(cached);
    }
  }
}

const bytesOf = ({ segments }: CachedPartition): number =>
  [...segments.values()].reduce((sum, segment) => sum + segment.bytes, 0);
