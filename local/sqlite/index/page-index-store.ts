import type { DatabaseSync } from 'node:sqlite';
import type { IndexReader, Passage, PassageRef } from '../../../lambdas/domain/ports/index-reader.ts';
import type { IndexEntry } from '../../../lambdas/domain/ports/page-index.ts';
import { listingOf } from '../../../lambdas/domain/ports/rules/listing.ts';
import { SearchEngine } from '../../../lambdas/search-engine/search-engine.ts';
import type { SyncPort } from '../sync-port.ts';
import { segmentCache } from './segment-cache.ts';

type FoundPage = Pick<IndexEntry, 'url' | 'urlHash' | 'title' | 'revision'>;
/** The columns of `selectPassage`. Those of lists and objects are JSON. */
type PassageRow = readonly [
  ...[revision: number, url: string, aliases: string, title: string, language: string | null],
  ...[summary: string | null, tags: string, facts: string, metadata: string | null],
  ...[publishedAt: string | null, crawledAt: string, headings: string, text: string],
];

/** Runs searches of `PageIndex` on SQLite. The segments of a partition are opened when it is first searched. */
export function pageIndexStore(database: DatabaseSync) {
  const cache = segmentCache(database);
  const searchEngine = new SearchEngine(cache.of);
  const selectTitle = database.prepare('SELECT title FROM index_page WHERE id = ?');
  const selectPassage = database.prepare(
    `SELECT p.revision, p.url, p.aliases, p.title, p.language, p.summary, p.tags, p.facts, p.metadata,
            p.published_at, p.crawled_at, c.headings, c.text
     FROM index_partition i JOIN index_page p ON p.partition_id = i.id JOIN index_chunk c ON c.page = p.id
     WHERE i.site_id = ? AND i.generation = ? AND p.url_hash = ? AND c.ord = ?`,
  );
  // Arrays are faster than objects with column names.
  selectPassage.setReturnArrays(true);
  const selectPages = database.prepare(
    `SELECT url, url_hash AS urlHash, title, revision FROM index_page
     WHERE partition_id = (SELECT id FROM index_partition WHERE site_id = ? AND generation = ?)
       AND url > ? AND instr(search_text, ?) > 0 ORDER BY url LIMIT ?`,
  );

  const readPassage = ({ ord, urlHash, siteId, generation }: PassageRef): Passage | undefined => {
    const row = selectPassage.get(siteId, generation, urlHash, ord) as unknown as PassageRow | undefined;
    if (!row) return undefined;
    const [revision, url, aliases, title, language, summary, tags, facts, metadata, ...rest] = row;
    const [publishedAt, crawledAt, headings, text] = rest;
    return {
      siteId,
      generation,
      urlHash,
      ord,
      revision,
      url,
      aliases: JSON.parse(aliases),
      title,
      ...(language !== null && { language }),
      ...(summary !== null && { summary }),
      tags: JSON.parse(tags),
      facts: JSON.parse(facts),
      ...(metadata !== null && { metadata: JSON.parse(metadata) }),
      ...(publishedAt !== null && { publishedAt }),
      crawledAt,
      ...unpackHeadings(headings),
      text,
    };
  };

  const reader = {
    candidates: (query) => searchEngine.candidates(query),
    facets: (query) => searchEngine.facets(query),
    vocabulary: (query) => searchEngine.vocabulary(query),

    titled(query) {
      const { pages, withTypos } = searchEngine.titled(query);
      const titled = pages.map(({ siteId, page: { id, url } }) => ({
        siteId,
        url,
        title: String(selectTitle.get(id)?.title ?? ''),
      }));
      return { pages: titled, withTypos };
    },

    passages: (refs) => refs.map(readPassage),

    find({ siteId, generation }, { text, limit, after = '' }) {
      const found = selectPages.all(siteId, generation, after, text.toLowerCase(), limit + 1);
      return listingOf(found as FoundPage[], limit, ({ url }) => url);
    },
  } satisfies SyncPort<IndexReader>;
  return { ...reader, warm: cache.warm, largest: cache.largest };
}

/** Parses the column `headings` (page-batch.ts). */
function unpackHeadings(column: string): Pick<Passage, 'headings' | 'sections'> {
  const stored = JSON.parse(column) as readonly string[] | Pick<Passage, 'headings' | 'sections'>;
  return 'sections' in stored ? stored : { headings: stored, sections: [] };
}
