import type { DatabaseSync } from 'node:sqlite';
import type { PageRef } from '../../ports.ts';
import type { EntryRow } from './index-entry-row.ts';
import { type IndexSpace, type IndexSpaces, wordsTable } from './index-space.ts';
import type { VectorCache } from './vector-cache.ts';
import type { Vector } from './vector-matrix.ts';

type Stored = { readonly id: number; readonly revision: number };

/** Puts and removes pages of the index, whole. */
export function indexWriter(database: DatabaseSync, spaces: IndexSpaces, vectors: VectorCache) {
  const stored = database.prepare('SELECT id, revision FROM index_page WHERE space = ? AND url_hash = ?');
  const chunksOf = database.prepare('SELECT id, length FROM index_chunk WHERE page = ?');
  const deleteChunks = database.prepare('DELETE FROM index_chunk WHERE page = ?');
  const deletePage = database.prepare('DELETE FROM index_page WHERE id = ?');
  const insertPage = database.prepare(
    `INSERT INTO index_page (space, url_hash, revision, url, path, title, title_terms, title_length, language, summary,
       tags, facts, published_at, crawled_at, words, sought)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertChunk = database.prepare(
    `INSERT INTO index_chunk (page, ord, length, block, terms, headings, text, vector_start, vector_length, vector)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );

  const find = (space: number, urlHash: string) => stored.get(space, urlHash) as Stored | undefined;

  const removePage = ({ id: space, version }: IndexSpace, page: number): void => {
    const unindex = spaces.statement(`DELETE FROM ${wordsTable(space)} WHERE rowid = ?`);
    const chunks = chunksOf.all(page);
    for (const { id } of chunks) unindex.run(id as number);
    deleteChunks.run(page);
    deletePage.run(page);
    const length = chunks.reduce((sum, chunk) => sum + Number(chunk.length), 0);
    const after = spaces.change(space, -chunks.length, -length);
    vectors.follow({ space, before: version, after }, (matrix) => matrix.remove(page));
  };

  const addPage = ({ id: space, version }: IndexSpace, entry: EntryRow): void => {
    const { lastInsertRowid: page } = insertPage.run(
      ...[space, entry.urlHash, entry.revision, entry.url, pathOf(entry.url), entry.title],
      ...[entry.titleTerms, entry.titleLength, entry.language ?? null, entry.summary ?? null],
      ...[JSON.stringify(entry.tags), JSON.stringify(entry.facts), entry.publishedAt ?? null, entry.crawledAt],
      ...[entry.words, soughtIn(entry)],
    );
    const index = spaces.statement(`INSERT INTO ${wordsTable(space)} (rowid, terms) VALUES (?, ?)`);
    const added: Vector[] = [];
    for (const { ord, length, terms, headings, text, block, vector } of entry.chunks) {
      const heads = JSON.stringify(headings);
      const { lastInsertRowid: chunk } = insertChunk.run(
        ...[page, ord, length, block, terms, heads, text],
        ...[vector?.start ?? null, vector?.of ?? null, vector && bytesOf(vector.numbers)],
      );
      index.run(chunk, terms);
      if (vector) added.push({ page: Number(page), chunk: Number(chunk), ...vector });
    }
    const total = entry.chunks.reduce((sum, { length }) => sum + length, 0);
    const after = spaces.change(space, entry.chunks.length, total);
    vectors.follow({ space, before: version, after }, (matrix) => {
      for (const vector of added) matrix.add(vector);
    });
  };

  return {
    put(entries: readonly EntryRow[]): void {
      for (const entry of entries) {
        const before = find(spaces.make(entry).id, entry.urlHash);
        if (before && before.revision >= entry.revision) continue;
        if (before) removePage(spaces.make(entry), before.id);
        addPage(spaces.make(entry), entry);
      }
    },

    remove(pages: readonly (PageRef & { readonly revision: number })[]): void {
      for (const { urlHash, revision, ...scope } of pages) {
        const space = spaces.find(scope);
        const before = space && find(space.id, urlHash);
        if (before && before.revision <= revision) removePage(space, before.id);
      }
    },

    removeBelow(siteId: string, generation: number, limit: number): boolean {
      let left = limit;
      for (const space of spaces.below(siteId, generation)) {
        const pages = database.prepare('SELECT id FROM index_page WHERE space = ? LIMIT ?').all(space, left);
        for (const { id } of pages) {
          deleteChunks.run(id as number);
          deletePage.run(id as number);
        }
        left -= pages.length;
        if (left <= 0) return false;
        spaces.drop(space);
      }
      return true;
    },
  };
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array) => new Uint8Array(buffer, byteOffset, byteLength);

const pathOf = (url: string): string => url.slice(URL.parse(url)?.origin.length ?? 0);

/** What `find` looks through. */
const soughtIn = ({ title, url }: EntryRow): string => `${title}\n${url}`.toLowerCase();
