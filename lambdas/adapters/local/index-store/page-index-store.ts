import type { DatabaseSync } from 'node:sqlite';
import type {
  IndexEntry,
  PageIndex,
  Passage,
  PassageRef,
  SiteScope,
  TitledPage,
} from '../../../core/ports/page-index.ts';
import type { Listing } from '../../../core/ports/table.ts';
import { candidateFinder } from '../../../search-engine/candidates.ts';
import { facetCounter } from '../../../search-engine/facets.ts';
import { titleFinder } from '../../../search-engine/titles.ts';
import { vocabularyReader } from '../../../search-engine/vocabulary.ts';
import { PartitionRows } from './partition-rows.ts';
import { SegmentCache } from './segment-cache.ts';
import { segmentStore } from './segment-store.ts';

const MAX_WARM_PARTITIONS = 1000;

type FoundPage = Pick<IndexEntry, 'url' | 'urlHash' | 'title' | 'revision'>;

/** `PageIndex` over SQLite. The segments of a partition are opened when it is first searched. */
export function pageIndexStore(database: DatabaseSync) {
  const partitions = new PartitionRows(database);
  const cache = new SegmentCache(database, partitions);
  const findTitled = titleFinder(cache.of);
  const selectTitle = database.prepare('SELECT title FROM index_page WHERE id = ?');
  const selectPassage = database.prepare(
    `SELECT p.revision, p.url, p.aliases, p.title, p.language, p.summary, p.tags, p.facts, p.metadata,
            p.published_at, p.crawled_at, c.headings, c.text
     FROM index_page p JOIN index_chunk c ON c.page = p.id WHERE p.partition_id = ? AND p.url_hash = ? AND c.ord = ?`,
  );
  const selectPages = database.prepare(
    `SELECT url, url_hash AS urlHash, title, revision FROM index_page
     WHERE partition_id = ? AND url > ? AND instr(search_text, ?) > 0 ORDER BY url LIMIT ?`,
  );

  const readPassage = ({ ord, urlHash, siteId, generation }: PassageRef, partition: number): Passage | undefined => {
    const row = selectPassage.get(partition, urlHash, ord);
    if (!row) return undefined;
    return {
      ...{ siteId, generation, urlHash, ord },
      revision: Number(row.revision),
      url: String(row.url),
      aliases: JSON.parse(String(row.aliases)),
      title: String(row.title),
      ...(row.language !== null && { language: String(row.language) }),
      ...(row.summary !== null && { summary: String(row.summary) }),
      tags: JSON.parse(String(row.tags)),
      facts: JSON.parse(String(row.facts)),
      ...(row.metadata !== null && { metadata: JSON.parse(String(row.metadata)) }),
      ...(row.published_at !== null && { publishedAt: String(row.published_at) }),
      crawledAt: String(row.crawled_at),
      ...unpackHeadings(String(row.headings)),
      text: String(row.text),
    };
  };

  return {
    ...segmentStore(database, partitions),
    candidates: candidateFinder(cache.of),
    facets: facetCounter(cache.of),
    vocabulary: vocabularyReader(cache.of),

    titled(query: Parameters<PageIndex['titled']>[0]): readonly TitledPage[] {
      return findTitled(query).map(({ siteId, page: { id, url } }) => ({
        ...{ siteId, url },
        title: String(selectTitle.get(id)?.title ?? ''),
      }));
    },

    passages(refs: readonly PassageRef[]): readonly (Passage | undefined)[] {
      const partitionOf = partitions.findAll(refs);
      return refs.map((ref, i) => {
        const partition = partitionOf[i];
        return partition && readPassage(ref, partition.id);
      });
    },

    find(scope: SiteScope, { text, limit, after = '' }: Parameters<PageIndex['find']>[1]): Listing<FoundPage> {
      const partition = partitions.find(scope);
      const rows = selectPages.all(partition?.id ?? null, after, text.toLowerCase(), limit + 1) as FoundPage[];
      const items = rows.slice(0, limit);
      const last = items.at(-1);
      return { items, ...(rows.length > limit && last && { next: last.url }) };
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

/** The column `headings` (page-batch.ts). */
function unpackHeadings(column: string): Pick<Passage, 'headings' | 'sections'> {
  const stored = JSON.parse(column) as readonly string[] | Pick<Passage, 'headings' | 'sections'>;
  return 'sections' in stored ? stored : { headings: stored, sections: [] };
}
