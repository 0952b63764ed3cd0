import { batchesBySize } from '../../../core/batches-by-size.ts';
import { mergeSegments } from '../../../search-engine/merge-segments.ts';
import type { Segment } from '../../../search-engine/segment.ts';
import { newSegmentRow, type SegmentRow, type SegmentRows } from './segment-rows.ts';

/** How many segments of one size become one of the next size. A search looks at each segment. */
const FACTOR = 8;
/** In chunks: of the smallest size. Each next size is `FACTOR` times as large. */
const SMALLEST = 64;
/** Chunks of a segment. A search waits while a new segment is read. */
const LARGEST = 16_384;
const SIZES = 3;

/** The newest segments of a partition, if enough of one size have come together. */
export function newestToMerge(rows: readonly SegmentRow[]): readonly SegmentRow[] {
  for (let size = 0; size < SIZES; size++) {
    const newest = rows.slice(rows.findLastIndex((row) => sizeOf(row) > size) + 1);
    if (newest.filter((row) => sizeOf(row) === size).length >= FACTOR) return newest;
  }
  return [];
}

const sizeOf = ({ chunks }: SegmentRow): number =>
  Math.max(0, Math.ceil(Math.log(chunks / SMALLEST) / Math.log(FACTOR)));

/** All segments of a partition in groups of neighbours that together are not too large; groups of one are left out. */
export const neighboursToMerge = (rows: readonly SegmentRow[]): readonly (readonly SegmentRow[])[] =>
  batchesBySize(rows, ({ chunks }) => chunks, { size: LARGEST }).filter(({ length }) => length > 1);

export type Merged = {
  /** Undefined if all pages were deleted. */
  readonly made: SegmentRow | undefined;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The deleted pages, which it no longer has. */
  readonly dropped: readonly number[];
};

/** Merges segments of one partition, in the order of their pages. */
export function merged(rows: readonly SegmentRow[], reader: SegmentRows): Merged {
  const segments = rows.map((row) => reader.open(row));
  const partition = rows[0]?.partition ?? 0;
  for (const { page } of reader.deletionsAfter(partition, 0)) for (const segment of segments) segment.delete(page);
  const dropped = segments.flatMap(deletedIds);
  const bytes = mergeSegments(segments);
  const row = newSegmentRow(partition, bytes);
  return { made: row.lastPage > 0 ? row : undefined, bytes, dropped };
}

const deletedIds = (segment: Segment): readonly number[] => [...segment.ids].filter((_, page) => !segment.isLive(page));
