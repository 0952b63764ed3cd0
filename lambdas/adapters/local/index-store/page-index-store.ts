import type { DatabaseSync } from 'node:sqlite';
import type { PageIndex, TitledPage } from '../../../core/ports/page-index.ts';
import { candidateFinder } from '../../../search-engine/candidates.ts';
import { facetCounter } from '../../../search-engine/facets.ts';
import type { OpenSites } from '../../../search-engine/open-site.ts';
import { titleFinder } from '../../../search-engine/titles.ts';
import { vocabularyReader } from '../../../search-engine/vocabulary.ts';
import { pageReader } from './page-reader.ts';
import { PartitionRows } from './partition-rows.ts';
import { SegmentCache } from './segment-cache.ts';
import { segmentStore } from './segment-store.ts';

const MAX_WARM_PARTITIONS = 1000;

/** `PageIndex` over SQLite. The segments of a partition are opened when it is first searched. */
export function pageIndexStore(database: DatabaseSync) {
  const partitions = new PartitionRows(database);
  const cache = new SegmentCache(database, partitions);
  const openSites: OpenSites = (scopes) => cache.of(scopes);
  const findTitled = titleFinder(openSites);
  const selectTitle = database.prepare('SELECT title FROM index_page WHERE id = ?');
  return {
    ...segmentStore(database, partitions),
    ...pageReader(database, partitions),
    candidates: candidateFinder(openSites),
    facets: facetCounter(openSites),
    vocabulary: vocabularyReader(openSites),

    titled(query: Parameters<PageIndex['titled']>[0]): readonly TitledPage[] {
      return findTitled(query).map(({ siteId, page: { id, url } }) => ({
        ...{ siteId, url },
        title: String(selectTitle.get(id)?.title ?? ''),
      }));
    },

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
