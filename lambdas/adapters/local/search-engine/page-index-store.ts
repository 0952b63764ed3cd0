import type { DatabaseSync } from 'node:sqlite';
import { candidateFinder } from './candidates.ts';
import { facetCounter } from './facets.ts';
import { pageReader } from './page-reader.ts';
import { PartitionRows } from './partition-rows.ts';
import { SegmentCache } from './segment-cache.ts';
import { segmentStore } from './segment-store.ts';
import { titleFinder } from './titles.ts';
import { vocabularyReader } from './vocabulary.ts';

const MAX_WARM_PARTITIONS = 1000;

/** `PageIndex` over SQLite. The segments of a partition are opened when it is first searched. */
export function pageIndexStore(database: DatabaseSync) {
  const partitions = new PartitionRows(database);
  const cache = new SegmentCache(database, partitions);
  return {
    ...segmentStore(database, partitions),
    ...pageReader(database, partitions),
    candidates: candidateFinder(cache),
    facets: facetCounter(cache),
    vocabulary: vocabularyReader(cache),
    titled: titleFinder(database, cache),

    /** A transaction that was read from has been rolled back. */
    closeSegments: () => cache.clear(),

    /** Opens the largest partitions for about this time, and returns their number. */
    warm(milliseconds: number): number {
      const end = performance.now() + milliseconds;
      let warmed = 0;
      for (const partition of partitions.largestNonEmpty(MAX_WARM_PARTITIONS)) {
        if (performance.now() > end || cache.isFull) break;
        cache.open(partition);
        warmed++;
      }
      return warmed;
    },
  };
}
