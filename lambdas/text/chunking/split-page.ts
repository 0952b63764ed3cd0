import type { ChunkBoundaries, SegmentRange } from './chunk-boundaries.ts';

/**
 * Splits a page recursively at the best boundary: the highest heading, else the lowest content hash (content-defined
 * chunking). An edit moves only boundaries near it.
 */
export function splitPage(boundaries: ChunkBoundaries): readonly SegmentRange[] {
  const parts: SegmentRange[] = [];
  const pending: SegmentRange[] = [{ from: 0, to: boundaries.length }];
  for (let range = pending.pop(); range !== undefined; range = pending.pop()) {
    const boundary = boundaries.best(range);
    if (boundary !== undefined) pending.push({ from: boundary, to: range.to }, { from: range.from, to: boundary });
    else if (range.to > range.from) parts.push(range);
  }
  return parts;
}
