import type { DatabaseSync } from 'node:sqlite';
import type { OpenSite, OpenSites } from '../../../search-engine/open-site.ts';
import type { Segment } from '../../../search-engine/segment.ts';
import type { IndexPartition, PartitionRows } from './partition-rows.ts';
import { SegmentRows } from './segment-rows.ts';

const MAX_BYTES = 1e9;

type CachedPartition = {
  readonly version: number;
  readonly segments: ReadonlyMap<number, Segment>;
  /** The last deletion that is marked in them. */
  readonly lastDeletion: number;
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
  readonly of: OpenSites = (scopes) =>
    this.#partitionRows.findAll(scopes).map((partition) => (partition ? this.open(partition) : NOTHING));

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
    const rows = this.#rows.of(id);
    const isOpen = known !== undefined && rows.every((row) => known.segments.has(row.id));
    // A segment that is opened needs all deletions of its pages.
    const after = isOpen ? known.lastDeletion : 0;
    const segments = new Map(rows.map((row) => [row.id, known?.segments.get(row.id) ?? this.#rows.open(row)]));
    const deletions = this.#rows.deletionsAfter(id, after);
    for (const { page } of deletions) for (const segment of segments.values()) segment.delete(page);
    return { version, segments, lastDeletion: deletions.at(-1)?.id ?? after };
  }

  get #bytes(): number {
    return [...this.#partitions.values()].reduce((sum, cached) => sum + bytesOf(cached), 0);
  }

  #evict(): void {
    while (this.#bytes > MAX_BYTES && this.#partitions.size > 1) {
      const [oldest = 0] = this.#partitions.keys();
      this.#partitions.delete(oldest);
    }
  }
}

const bytesOf = ({ segments }: CachedPartition): number =>
  [...segments.values()].reduce((sum, segment) => sum + segment.bytes, 0);
