import { batchesBySize } from '../../../lambdas/domain/batches.ts';
import { mergeSegments } from '../../../lambdas/search-engine/merge-segments.ts';
import type { Segment } from '../../../lambdas/search-engine/segment.ts';
import type { Sections } from '../../../lambdas/search-engine/segment-format.ts';
import { newSegmentRow, type SegmentRow, type SegmentRows } from './segment-rows.ts';

/**
 * By size, which is that of segments with at most this number of chunks: how many of them become one. Merges take
 * processor time from a crawl, so there are few sizes: once no pages are added, neighbours are merged anyway. The
 * largest comes first, since there are always enough of the smallest while pages are added quickly.
 */
const SIZES = [
  { chunks: 4096, segments: 8 },
  { chunks: 1024, segments: 16 },
  { chunks: 128, segments: 8 },
  { chunks: 16, segments: 8 },
];
/** Chunks of a segment. A search waits while a new segment is read. */
const LARGEST = 16_384;

/** The newest segments of a partition, if enough of one size have come together. */
export function newestToMerge(rows: readonly SegmentRow[]): readonly SegmentRow[] {
  for (const [i, { chunks: size, segments }] of SIZES.entries()) {
    const smaller = SIZES[i + 1]?.chunks ?? 0;
    const newest = rows.slice(rows.findLastIndex(({ chunks }) => chunks > size) + 1);
    if (newest.filter(({ chunks }) => chunks > smaller).length >= segments) return newest;
  }
  return [];
}

/** All segments of a partition in groups of neighbours that together are not too large; groups of one are left out. */
export const neighboursToMerge = (rows: readonly SegmentRow[]): readonly (readonly SegmentRow[])[] =>
  batchesBySize(rows, ({ chunks }) => chunks, { size: LARGEST }).filter(({ length }) => length > 1);

export type Merged = {
  /** Undefined if all pages were deleted. */
  readonly made: SegmentRow | undefined;
  readonly sections: Sections;
  /** The deleted pages, which it no longer has. */
  readonly dropped: readonly number[];
};

/** Merges segments of one partition, in the order of their pages. */
export function merged(rows: readonly SegmentRow[], reader: SegmentRows): Merged {
  const segments = rows.map((row) => reader.open(row));
  const partition = rows[0]?.partition ?? 0;
  for (const { page } of reader.deletionsAfter(partition, 0)) for (const segment of segments) segment.delete(page);
  const dropped = segments.flatMap(deletedIds);
  const sections = mergeSegments(segments);
  const row = newSegmentRow(partition, sections);
  return { made: row.lastPage > 0 ? row : undefined, sections, dropped };
}

const deletedIds = (segment: Segment): readonly number[] => [...segment.ids].filter((_, page) => !segment.isLive(page));
