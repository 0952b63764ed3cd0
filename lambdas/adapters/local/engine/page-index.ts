import type { DatabaseSync } from 'node:sqlite';
import { candidateFinder } from './candidates.ts';
import { IndexCache } from './index-cache.ts';
import { facetCounter } from './index-facets.ts';
import { indexReader } from './index-reader.ts';
import { indexWriter } from './index-writer.ts';
import { PartitionRows } from './partition-rows.ts';
import { titleFinder } from './titles.ts';
import { vocabularyReader } from './vocabulary.ts';

const MAX_WARM_PARTITIONS = 1000;

/** `PageIndex` over SQLite. The search index of a partition is loaded into memory when it is first used. */
export function pageIndexStore(database: DatabaseSync) {
  const partitions = new PartitionRows(database);
  const cache = new IndexCache(database);
  return {
    ...indexWriter(database, partitions, cache),
    ...indexReader(database, partitions),
    candidates: candidateFinder({ partitions, cache }),
    facets: facetCounter(partitions, cache),
    vocabulary: vocabularyReader(partitions, cache),
    titled: titleFinder(database, partitions, cache),

    /** Loads the largest partitions for about this time, and returns their number. */
    warm(milliseconds: number): number {
      const end = performance.now() + milliseconds;
      let warmed = 0;
      for (const partition of partitions.largestNonEmpty(MAX_WARM_PARTITIONS)) {
        if (performance.now() > end || cache.isFull) break;
        cache.indexOf(partition).postings.catchUp(1);
        warmed++;
      }
      return warmed;
    },
  };
}
