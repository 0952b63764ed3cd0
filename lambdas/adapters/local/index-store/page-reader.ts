import type { DatabaseSync } from 'node:sqlite';
import type { IndexEntry, PageIndex, Passage, PassageRef, SiteScope } from '../../../core/ports/page-index.ts';
import type { Listing } from '../../../core/ports/table.ts';
import type { PartitionRows } from './partition-rows.ts';

/** Reads passages and titles, which are not in memory. */
export function pageReader(database: DatabaseSync, partitions: PartitionRows) {
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
    passages(refs: readonly PassageRef[]): readonly (Passage | undefined)[] {
      const partitionOf = partitions.findAll(refs);
      return refs.map((ref, i) => {
        const partition = partitionOf[i];
        return partition && readPassage(ref, partition.id);
      });
    },

    find(
      scope: SiteScope,
      { text, limit, after = '' }: Parameters<PageIndex['find']>[1],
    ): Listing<Pick<IndexEntry, 'url' | 'urlHash' | 'title' | 'revision'>> {
      const partition = partitions.find(scope);
      if (!partition) return { items: [] };
      const rows = selectPages.all(partition.id, after, text.toLowerCase(), limit + 1) as unknown as Pick<
        IndexEntry,
        'url' | 'urlHash' | 'title' | 'revision'
      >[];
      const items = rows.slice(0, limit);
      const last = items.at(-1);
      return { items, ...(rows.length > limit && last && { next: last.url }) };
    },
  };
}

/** The column `headings` (page-batch.ts). */
function unpackHeadings(column: string): Pick<Passage, 'headings' | 'sections'> {
  const stored = JSON.parse(column) as readonly string[] | Pick<Passage, 'headings' | 'sections'>;
  return 'sections' in stored ? stored : { headings: stored, sections: [] };
}
