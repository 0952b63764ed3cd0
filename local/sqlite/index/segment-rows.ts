import { randomInt } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Scanners } from '../../../lambdas/search-engine/int8-scan.ts';
import { Segment } from '../../../lambdas/search-engine/segment.ts';
import { type Sections, sizeOf } from '../../../lambdas/search-engine/segment-format.ts';

/** A segment as a row. Its bytes are in pieces in another table, so that no write takes long. */
export type SegmentRow = {
  readonly id: number;
  readonly partition: number;
  /** The ids of its first and last page. Segments of a partition do not overlap. */
  readonly firstPage: number;
  readonly lastPage: number;
  readonly chunks: number;
  /** In bytes. */
  readonly size: number;
};

/** The row of a new segment. Its id is random, since the parts of a merged one are stored before its row. */
export function newSegmentRow(partition: number, sections: Sections): SegmentRow {
  const { pageIds, pageOf } = sections;
  const [firstPage = 0, lastPage = 0] = [pageIds[0], pageIds.at(-1)];
  return { id: randomInt(2 ** 47), partition, firstPage, lastPage, chunks: pageOf.length, size: sizeOf(sections) };
}

const COLUMNS = 'id, partition_id AS "partition", first_page AS firstPage, last_page AS lastPage, chunks, size';

export type SegmentRows = ReturnType<typeof segmentRows>;

/** Reads segments, through any connection. */
export function segmentRows(database: DatabaseSync) {
  const selectOfPartition = database.prepare(
    `SELECT ${COLUMNS} FROM index_segment WHERE partition_id = ? ORDER BY first_page`,
  );
  const selectWithDeletions = database.prepare(
    `SELECT ${COLUMNS} FROM index_segment AS s WHERE EXISTS (SELECT 1 FROM index_deletion AS d
       WHERE d.partition_id = s.partition_id AND d.page BETWEEN s.first_page AND s.last_page)`,
  );
  const selectOne = database.prepare('SELECT 1 FROM index_segment WHERE id = ?');
  const selectParts = database.prepare('SELECT bytes FROM index_segment_part WHERE segment = ? ORDER BY part');
  const selectDeletions = database.prepare(
    'SELECT id, page FROM index_deletion WHERE partition_id = ? AND id > ? ORDER BY id',
  );

  function* partsOf(id: number): Generator<Uint8Array> {
    for (const { bytes } of selectParts.iterate(id)) yield bytes as Uint8Array;
  }

  return {
    /** In the order of their pages. */
    of: (partition: number) => selectOfPartition.all(partition) as unknown as readonly SegmentRow[],

    /** Those with deleted pages, of all partitions. */
    withDeletions: () => selectWithDeletions.all() as unknown as readonly SegmentRow[],

    /** Whether all of these still exist. */
    have: (rows: readonly SegmentRow[]) => rows.every(({ id }) => selectOne.get(id) !== undefined),

    open: ({ id, size }: SegmentRow, scanners?: Scanners, isLarge?: boolean): Segment =>
      Segment.open(partsOf(id), size, scanners, isLarge),

    /** The pages that were deleted after a deletion; 0 for all. */
    deletionsAfter: (partition: number, id: number) =>
      selectDeletions.all(partition, id) as unknown as readonly { readonly id: number; readonly page: number }[],
  };
}
