import { randomInt } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Scanners } from '../../../lambdas/search-engine/int8-scan.ts';
import { mergeSegments } from '../../../lambdas/search-engine/merge-segments.ts';
import { Segment } from '../../../lambdas/search-engine/segment.ts';
import { type Sections, sizeOf } from '../../../lambdas/search-engine/segment-format.ts';

/** The row of a segment. Its bytes are stored in parts in another table, so that no write takes long. */
export type SegmentRow = {
  readonly id: number;
  readonly partition: number;
  /** The ids of its first and last page. Segments of a partition do not overlap. */
  readonly firstPage: number;
  readonly lastPage: number;
  readonly chunks: number;
  /** The length of all parts, in bytes. */
  readonly size: number;
};

/**
 * Returns the row of a new segment. Its id is random, since the parts of a merged segment are stored before its row.
 */
export function newSegmentRow(partition: number, sections: Sections): SegmentRow {
  const { pageIds, pageOf } = sections;
  const [firstPage = 0, lastPage = 0] = [pageIds[0], pageIds.at(-1)];
  return { id: randomInt(2 ** 47), partition, firstPage, lastPage, chunks: pageOf.length, size: sizeOf(sections) };
}

export type Merged = {
  /** The row of the merged segment. Undefined if all its pages were deleted. */
  readonly made: SegmentRow | undefined;
  readonly sections: Sections;
  /** The deleted pages, which the merged segment no longer has. */
  readonly dropped: readonly number[];
};

const COLUMNS = 'id, partition_id AS "partition", first_page AS firstPage, last_page AS lastPage, chunks, size';

/** Reads segments through any connection. */
export function segmentRows(database: DatabaseSync) {
  const selectPartitions = database.prepare(
    'SELECT partition_id AS id FROM index_segment GROUP BY partition_id HAVING count(*) > 1',
  );
  const selectOfPartition = database.prepare(
    `SELECT ${COLUMNS} FROM index_segment WHERE partition_id = ? ORDER BY first_page`,
  );
  const selectWithDeletions = database.prepare(
    `SELECT ${COLUMNS} FROM index_segment AS s WHERE EXISTS (SELECT 1 FROM index_deletion AS d
       WHERE d.partition_id = s.partition_id AND d.page BETWEEN s.first_page AND s.last_page)`,
  );
  const selectOne = database.prepare('SELECT 1 FROM index_segment WHERE id = ?');
  const selectParts = database.prepare('SELECT bytes FROM index_segment_part WHERE segment = ? ORDER BY part');
  const selectFilled = database.prepare(
    `SELECT 1 FROM index_partition AS p WHERE site_id = ? AND generation = ?
       AND EXISTS (SELECT 1 FROM index_page JOIN index_chunk AS c ON c.page = index_page.id WHERE partition_id = p.id)
       AND EXISTS (SELECT 1 FROM index_segment AS s JOIN index_segment_part ON segment = s.id
         WHERE s.partition_id = p.id)`,
  );
  const selectDeletions = database.prepare(
    'SELECT id, page FROM index_deletion WHERE partition_id = ? AND id > ? ORDER BY id',
  );

  const of = (partition: number) => selectOfPartition.all(partition) as unknown as readonly SegmentRow[];

  function* partsOf(id: number): Generator<Uint8Array> {
    for (const { bytes } of selectParts.iterate(id)) yield bytes as Uint8Array;
  }

  /** Tells whether all of these segments still exist. */
  const have = (rows: readonly SegmentRow[]): boolean => rows.every(({ id }) => selectOne.get(id) !== undefined);

  const open = ({ id, size }: SegmentRow, scanners?: Scanners, isLarge?: boolean): Segment =>
    Segment.open(partsOf(id), size, scanners, isLarge);

  const deletionsAfter = (partition: number, id: number) =>
    selectDeletions.all(partition, id) as unknown as readonly { readonly id: number; readonly page: number }[];

  return {
    /** Returns the segments of a partition, in the order of their pages. */
    of,

    /** Returns the segments of each partition that has several. */
    ofSites: () => selectPartitions.all().map(({ id }) => of(Number(id))),

    /** Tells whether the index has any page of a generation of a site. */
    isFilled: (siteId: string, generation: number): boolean => selectFilled.get(siteId, generation) !== undefined,

    /** Returns the segments with deleted pages, of all partitions. */
    withDeletions: () => selectWithDeletions.all() as unknown as readonly SegmentRow[],

    have,

    open,

    /** Returns the pages that were deleted after a deletion. 0 returns all. */
    deletionsAfter,

    /** Merges several segments of one partition, in their order. Returns undefined if one of them is gone. */
    merged(rows: readonly SegmentRow[]): Merged | undefined {
      if (!have(rows)) return undefined;
      const partition = rows[0]?.partition ?? 0;
      const segments = rows.map((row) => open(row));
      for (const { page } of deletionsAfter(partition, 0)) for (const segment of segments) segment.delete(page);
      const dropped = segments.flatMap(deletedIds);
      const sections = mergeSegments(segments);
      const row = newSegmentRow(partition, sections);
      return { made: row.lastPage > 0 ? row : undefined, sections, dropped };
    },
  };
}

const deletedIds = (segment: Segment): readonly number[] => [...segment.ids].filter((_, page) => !segment.isLive(page));
