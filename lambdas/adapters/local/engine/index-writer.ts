import type { DatabaseSync } from 'node:sqlite';
import type { PageRef } from '../../../core/ports/page-index.ts';
import { pathOf } from '../../../core/web/url.ts';
import type { IndexCache } from './index-cache.ts';
import { type EntryRow, packHeadings } from './index-entry-row.ts';
import type { Lexicon } from './lexicon.ts';
import type { IndexPartition, PartitionRows } from './partition-rows.ts';
import { packTerms } from './term-encoding.ts';

type Stored = { readonly id: number; readonly revision: number };

export function indexWriter(database: DatabaseSync, partitions: PartitionRows, cache: IndexCache) {
  const selectPage = database.prepare('SELECT id, revision FROM index_page WHERE partition_id = ? AND url_hash = ?');
  const selectCounts = database.prepare('SELECT chunks, terms FROM index_page_data WHERE page = ?');
  const deletes = ['index_chunk WHERE page = ?', 'index_page_data WHERE page = ?', 'index_page WHERE id = ?'].map(
    (rows) => database.prepare(`DELETE FROM ${rows}`),
  );
  const insertPage = database.prepare(
    `INSERT INTO index_page (partition_id, url_hash, revision, url, path, title, title_length, language, summary,
       aliases, tags, facts, metadata, published_at, crawled_at, search_text)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertChunk = database.prepare('INSERT INTO index_chunk (page, ord, headings, text) VALUES (?, ?, ?, ?)');
  const insertData = database.prepare(
    'INSERT INTO index_page_data (page, chunks, terms, packed_terms, packed_vectors) VALUES (?, ?, ?, ?, ?)',
  );
  const insertTerms = database.prepare('INSERT INTO index_lexicon (partition_id, first_id, terms) VALUES (?, ?, ?)');

  const find = (partition: number, urlHash: string) => selectPage.get(partition, urlHash) as Stored | undefined;

  const deletePage = (page: number): void => {
    for (const rows of deletes) rows.run(page);
  };

  const removePage = (partition: IndexPartition, page: number): void =>
    cache.update(partition, ({ index }) => {
      const { chunks = 0, terms = 0 } = selectCounts.get(page) ?? {};
      deletePage(page);
      index?.remove(page);
      return partitions.addCounts(partition.id, -Number(chunks), -Number(terms));
    });

  const packAndStoreTerms = (partition: number, entry: EntryRow, lexicon: Lexicon): Uint8Array<ArrayBuffer> => {
    const known = lexicon.size;
    const packed = packTerms(entry, lexicon);
    if (lexicon.size > known) insertTerms.run(partition, known, lexicon.since(known).join(' '));
    return packed;
  };

  const addPage = (partition: IndexPartition, entry: EntryRow): void =>
    cache.update(partition, ({ lexicon, index }) => {
      const { urlHash, url, titleLength, language, publishedAt, tags, facts, metadata } = entry;
      const path = pathOf(url);
      const { lastInsertRowid } = insertPage.run(
        ...[partition.id, urlHash, entry.revision, url, path, entry.title, titleLength, language ?? null],
        ...[entry.summary ?? null, JSON.stringify(entry.aliases), JSON.stringify(tags), JSON.stringify(facts)],
        ...[metadata === undefined ? null : JSON.stringify(metadata), publishedAt ?? null],
        ...[entry.crawledAt, searchText(entry)],
      );
      const id = Number(lastInsertRowid);
      for (const chunk of entry.chunks) insertChunk.run(id, chunk.ord, packHeadings(chunk), chunk.text);
      const { vectors } = entry;
      const terms = packAndStoreTerms(partition.id, entry, lexicon);
      const termCount = entry.chunks.reduce((sum, chunk) => sum + chunk.terms.length, 0);
      const bytes = new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength);
      insertData.run(id, entry.chunks.length, termCount, terms, bytes);
      index?.add({ facts: factsOf(entry, id, path), terms, vectors });
      return partitions.addCounts(partition.id, entry.chunks.length, termCount);
    });

  return {
    put(entries: readonly EntryRow[]): void {
      for (const entry of entries) {
        const previous = find(partitions.findOrCreate(entry).id, entry.urlHash);
        if (previous && previous.revision > entry.revision) continue;
        if (previous) removePage(partitions.findOrCreate(entry), previous.id);
        addPage(partitions.findOrCreate(entry), entry);
      }
    },

    remove(pages: readonly (PageRef & { readonly revision: number })[]): void {
      for (const { urlHash, revision, ...scope } of pages) {
        const partition = partitions.find(scope);
        const stored = partition && find(partition.id, urlHash);
        if (stored && stored.revision <= revision) removePage(partition, stored.id);
      }
    },

    removeBelow(siteId: string, generation: number, limit: number): boolean {
      let left = limit;
      const selectPages = database.prepare('SELECT id FROM index_page WHERE partition_id = ? LIMIT ?');
      for (const partition of partitions.below(siteId, generation)) {
        cache.forget(partition);
        const pages = selectPages.all(partition, left);
        for (const { id } of pages) deletePage(Number(id));
        left -= pages.length;
        if (left <= 0) return false;
        partitions.drop(partition);
      }
      return true;
    },
  };
}

/** A copy of some fields, so that the entry's text is not kept in memory. */
function factsOf(
  { urlHash, url, aliases, titleLength, language, publishedAt, tags, facts }: EntryRow,
  id: number,
  path: string,
) {
  return {
    ...{ id, urlHash, url, path, aliases, titleLength, tags, facts },
    ...(language !== undefined && { language }),
    ...(publishedAt !== undefined && { publishedAt }),
  };
}

const searchText = ({ title, url }: EntryRow): string => `${title}\n${url}`.toLowerCase();
