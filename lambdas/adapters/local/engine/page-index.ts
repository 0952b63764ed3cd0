import type { DatabaseSync } from 'node:sqlite';
import { candidateFinder } from './candidates.ts';
import { LoadedSpaces } from './index-cache.ts';
import { facetCounter } from './index-facets.ts';
import { IndexSpaces } from './index-partitions.ts';
import { indexReader } from './index-reader.ts';
import { indexWriter } from './index-writer.ts';

const MOST_WARMED = 1000;

/** `PageIndex` over SQLite: what a search looks at is loaded into memory, one site's generation at a time. */
export function pageIndexStore(database: DatabaseSync) {
  const spaces = new IndexSpaces(database);
  const loaded = new LoadedSpaces(database);
  return {
    ...indexWriter(database, spaces, loaded),
    ...indexReader(database, spaces),
    candidates: candidateFinder({ spaces, loaded }),
    facets: facetCounter(spaces, loaded),

    /** Loads sites before they are searched, for about so long. Answers how many. */
    warm(milliseconds: number): number {
      const end = performance.now() + milliseconds;
      let warmed = 0;
      for (const space of spaces.largest(MOST_WARMED)) {
        if (performance.now() > end || loaded.isFull) break;
        loaded.indexOf(space).postings.follow(1);
        warmed++;
      }
      return warmed;
    },
  };
}
