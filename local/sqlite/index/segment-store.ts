import type { DatabaseSync } from 'node:sqlite';
import type { PageRef, SiteScope } from '../../../lambdas/domain/ports/page-index.ts';
import type { EntryBatch, PageRow } from '../../../lambdas/search-engine/page-batch.ts';
import { decodeSections, SEGMENT_FORMAT } from '../../../lambdas/search-engine/segment-format.ts';
import { pathOf } from '../../../lambdas/text/web/url.ts';
import { type Merged, newSegmentRow, type SegmentRow, segmentRows } from './segment-rows.ts';

type Stored = { readonly id: number; readonly revision: number; readonly chunks: number; readonly terms: number };

/** Replaces the URL's hash of an outdated page. */
const OUTDATED = 'outdated';

const BELOW = '(SELECT id FROM index_partition WHERE site_id = ? AND generation < ?)';

/** Writes pages and segments. */
export function segmentStore(database: DatabaseSync) {
  const selectPartition = database.prepare('SELECT id FROM index_partition WHERE site_id = ? AND generation = ?');
  const insertPartition = database.prepare('INSERT INTO index_partition (site_id, generation) VALUES (?, ?)');
  const updatePartition = database.prepare(
    'UPDATE index_partition SET chunks = chunks + ?, terms = terms + ?, version = random() >> 12 WHERE id = ?',
  );
  const selectPage = database.prepare(
    'SELECT id, revision, chunks, terms FROM index_page WHERE partition_id = ? AND url_hash = ?',
  );
  const insertDeletion = database.prepare('INSERT INTO index_deletion (partition_id, page) VALUES (?, ?)');
  const insertPage = database.prepare(
    `INSERT INTO index_page (partition_id, url_hash, revision, chunks, terms, url, path, title, title_length, language,
       summary, aliases, tags, facts, metadata, published_at, crawled_at, search_text)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertChunk = database.prepare('INSERT INTO index_chunk (page, ord, headings, text) VALUES (?, ?, ?, ?)');
  const insertSegment = database.prepare(
    `INSERT INTO index_segment (id, partition_id, first_page, last_page, chunks, size, format)
     VALUES (:id, :partition, :firstPage, :lastPage, :chunks, :size, ${SEGMENT_FORMAT})`,
  );
  const insertPart = database.prepare('INSERT INTO index_segment_part (segment, part, bytes) VALUES (?, ?, ?)');
  /** Prepares deletions from several tables that take the same parameters. */
  const deletion = (...rows: readonly string[]) => {
    const statements = rows.map((ofTable) => database.prepare(`DELETE FROM ${ofTable}`));
    return (...parameters: readonly (string | number)[]): void => {
      for (const statement of statements) statement.run(...parameters);
    };
  };
  const deleteRows = deletion('index_chunk WHERE page = ?', 'index_page WHERE id = ?');
  const deleteSegment = deletion('index_segment_part WHERE segment = ?', 'index_segment WHERE id = ?');
  const deleteDeletion = deletion('index_deletion WHERE partition_id = ? AND page = ?');
  const selectPagesBelow = database.prepare(`SELECT id FROM index_page WHERE partition_id IN ${BELOW} LIMIT ?`);
  const deleteBelow = deletion(
    `index_segment_part WHERE segment IN (SELECT id FROM index_segment WHERE partition_id IN ${BELOW})`,
    `index_segment WHERE partition_id IN ${BELOW}`,
    `index_deletion WHERE partition_id IN ${BELOW}`,
    `index_partition WHERE id IN ${BELOW}`,
  );
  const segments = segmentRows(database);
  const sumParts = database.prepare('SELECT sum(length(bytes)) AS size FROM index_segment_part WHERE segment = ?');
  /** Tells whether all parts of a segment are stored. A process that opens the file removes parts without a segment. */
  const isStored = ({ id, size }: SegmentRow): boolean => sumParts.get(id)?.size === size;

  const partitionOf = ({ siteId, generation }: SiteScope) =>
    selectPartition.get(siteId, generation)?.id as number | undefined;

  const find = (partition: number, urlHash: string) => selectPage.get(partition, urlHash) as Stored | undefined;

  const removePage = (partition: number, { id, chunks, terms }: Omit<Stored, 'revision'>): void => {
    deleteRows(id);
    insertDeletion.run(partition, id);
    updatePartition.run(-chunks, -terms, partition);
  };

  const addPage = (partition: number, page: PageRow): number => {
    const { lastInsertRowid } = insertPage.run(
      ...[partition, page.urlHash, page.revision, page.chunks.length, page.terms, page.url, pathOf(page.url)],
      ...[page.title, page.titleLength, page.language ?? null, page.summary ?? null],
      ...[JSON.stringify(page.aliases), JSON.stringify(page.tags), JSON.stringify(page.facts)],
      ...[page.metadata === undefined ? null : JSON.stringify(page.metadata), page.publishedAt ?? null],
      ...[page.crawledAt, `${page.title}\n${page.url}`.toLowerCase()],
    );
    const id = Number(lastInsertRowid);
    for (const { ord, headings, text } of page.chunks) insertChunk.run(id, ord, headings, text);
    updatePartition.run(page.chunks.length, page.terms, partition);
    return id;
  };

  /**
   * Stores a page and returns its id. If a newer revision of the page is indexed, the page gets an id too and is
   * deleted at once.
   */
  const putPage = (partition: number, page: PageRow): number => {
    const stored = find(partition, page.urlHash);
    const isOutdated = stored !== undefined && stored.revision > page.revision;
    if (stored && !isOutdated) removePage(partition, stored);
    const id = addPage(partition, isOutdated ? { ...page, urlHash: OUTDATED } : page);
    if (isOutdated) removePage(partition, { id, chunks: page.chunks.length, terms: page.terms });
    return id;
  };

  const storePart = (segment: number, part: number, bytes: Uint8Array): void => {
    insertPart.run(segment, part, bytes);
  };

  return {
    /** Stores pages of one scope with their segment. */
    put({ pages, segment }: EntryBatch): void {
      const [first] = pages;
      if (!first) return;
      const { siteId, generation } = first;
      const partition = partitionOf(first) ?? Number(insertPartition.run(siteId, generation).lastInsertRowid);
      const ids = pages.map((page) => putPage(partition, page));
      const sections = decodeSections(segment.buffer, segment.byteOffset);
      sections.pageIds.set(ids);
      const row = newSegmentRow(partition, sections);
      insertSegment.run(row);
      storePart(row.id, 0, segment);
    },

    remove(pages: readonly (PageRef & { readonly revision: number })[]): void {
      for (const { urlHash, revision, ...scope } of pages) {
        const partition = partitionOf(scope);
        const stored = partition && find(partition, urlHash);
        if (stored && stored.revision <= revision) removePage(partition, stored);
      }
    },

    removeBelow(siteId: string, generation: number, limit: number): boolean {
      const pages = selectPagesBelow.all(siteId, generation, limit);
      for (const { id } of pages) deleteRows(Number(id));
      if (pages.length === limit) return false;
      deleteBelow(siteId, generation);
      return true;
    },

    /** Stores a part of a segment that no search reads yet. */
    storePart,

    /**
     * Replaces segments of a partition by a merged one whose parts are stored. Returns false, without a change, if one
     * of them or a part of the new one is gone.
     */
    replace(replaced: readonly SegmentRow[], { made, dropped }: Omit<Merged, 'sections'>): boolean {
      if (!segments.have(replaced) || (made && !isStored(made))) {
        if (made) deleteSegment(made.id);
        return false;
      }
      const partition = replaced[0]?.partition ?? 0;
      for (const { id } of replaced) deleteSegment(id);
      if (made) insertSegment.run(made);
      for (const page of dropped) deleteDeletion(partition, page);
      updatePartition.run(0, 0, partition);
      return true;
    },
  };
}
