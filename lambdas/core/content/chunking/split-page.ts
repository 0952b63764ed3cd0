import type { ChunkBoundaries, SegmentRange } from './chunk-boundaries.ts';

export const MAX_CHUNKS = 1_000;

/**
 * Splits a page recursively at its best boundary: the highest heading, else the lowest content hash (content-defined chunking).
 * Local maxima are cut first, so an edit moves only the cuts near it.
 */
export function splitPage(places: ChunkBoundaries): readonly SegmentRange[] {
  const parts: SegmentRange[] = [];
  const waiting: SegmentRange[] = [{ from: 0, to: places.length }];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const cut = places.best(part);
    if (cut !== undefined) waiting.push({ from: cut, to: part.to }, { from: part.from, to: cut });
    else if (part.to > part.from) parts.push(part);
  }
  return parts;
}
