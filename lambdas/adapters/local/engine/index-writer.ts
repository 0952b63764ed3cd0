import type { DatabaseSync } from 'node:sqlite';
import type { PageRef } from '../../../core/ports/page-index.ts';
import type { LoadedSpaces } from './index-cache.ts';
import type { EntryRow } from './index-entry-row.ts';
import type { IndexSpace, IndexSpaces } from './index-partitions.ts';
import type { Lexicon } from './lexicon.ts';
import { packWords } from './page-words.ts';

type Stored = { readonly id: number; readonly revision: number };

/** Puts and removes pages of the index, whole. */
export function indexWriter(database: DatabaseSync, spaces: IndexSpaces, loaded: LoadedSpaces) {
  const stored = database.prepare('SELECT id, revision FROM index_page WHERE space = ? AND url_hash = ?');
  const measures = database.prepare('SELECT chunks, terms FROM index_evidence WHERE page = ?');
  const deletes = ['index_chunk WHERE page = ?', 'index_evidence WHERE page = ?', 'index_page WHERE id = ?'].map(
    (rows) => database.prepare(`DELETE FROM ${rows}`),
  );
  const insertPage = database.prepare(
    `INSERT INTO index_page (space, url_hash, revision, url, path, title, title_length, language, summary,
       tags, facts, metadata, published_at, crawled_at, sought)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertChunk = database.prepare('INSERT INTO index_chunk (page, ord, headings, text) VALUES (?, ?, ?, ?)');
  const insertEvidence = database.prepare(
    'INSERT INTO index_evidence (page, chunks, terms, words, vectors) VALUES (?, ?, ?, ?, ?)',
  );
  const insertTerms = database.prepare('INSERT INTO index_lexicon (space, first, terms) VALUES (?, ?, ?)');

  const find = (space: number, urlHash: string) => stored.get(space, urlHash) as Stored | undefined;

  const deletePage = (page: number): void => {
    for (const rows of deletes) rows.run(page);
  };

  const removePage = (space: IndexSpace, page: number): void =>
    loaded.change(space, ({ index }) => {
      const { chunks = 0, terms = 0 } = measures.get(page) ?? {};
      deletePage(page);
      index?.remove(page);
      return spaces.change(space.id, -Number(chunks), -Number(terms));
    });

  const numbered = (space: number, entry: EntryRow, lexicon: Lexicon): Uint8Array<ArrayBuffer> => {
    const known = lexicon.size;
    const words = packWords(entry, lexicon);
    if (lexicon.size > known) insertTerms.run(space, known, lexicon.since(known).join(' '));
    return words;
  };

  const addPage = (space: IndexSpace, entry: EntryRow): void =>
    loaded.change(space, ({ lexicon, index }) => {
      const { urlHash, url, titleLength, language, publishedAt, tags, facts, metadata } = entry;
      const path = pathOf(url);
      const { lastInsertRowid } = insertPage.run(
        ...[space.id, urlHash, entry.revision, url, path, entry.title, titleLength, language ?? null],
        ...[entry.summary ?? null, JSON.stringify(tags), JSON.stringify(facts)],
        ...[metadata === undefined ? null : JSON.stringify(metadata), publishedAt ?? null],
        ...[entry.crawledAt, soughtIn(entry)],
      );
      const id = Number(lastInsertRowid);
      for (const { ord, headings, text } of entry.chunks) insertChunk.run(id, ord, JSON.stringify(headings), text);
      const { vectors } = entry;
      const words = numbered(space.id, entry, lexicon);
      const terms = entry.chunks.reduce((sum, chunk) => sum + chunk.terms.length, 0);
      const bytes = new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength);
      insertEvidence.run(id, entry.chunks.length, terms, words, bytes);
      index?.add({ facts: factsOf(entry, id, path), words, vectors });
      return spaces.change(space.id, entry.chunks.length, terms);
    });

  return {
    put(entries: readonly EntryRow[]): void {
      for (const entry of entries) {
        const before = find(spaces.make(entry).id, entry.urlHash);
        if (before && before.revision > entry.revision) continue;
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
        loaded.forget(space);
        const pages = database.prepare('SELECT id FROM index_page WHERE space = ? LIMIT ?').all(space, left);
        for (const { id } of pages) deletePage(Number(id));
        left -= pages.length;
        if (left <= 0) return false;
        spaces.drop(space);
      }
      return true;
    },
  };
}

/** Not the entry itself, which holds all its text. */
function factsOf(
  { urlHash, url, titleLength, language, publishedAt, tags, facts }: EntryRow,
  id: number,
  path: string,
) {
  return {
    ...{ id, urlHash, url, path, titleLength, tags, facts },
    ...(language !== undefined && { language }),
    ...(publishedAt !== undefined && { publishedAt }),
  };
}

const pathOf = (url: string): string => url.slice(URL.parse(url)?.origin.length ?? 0);

/** What `find` looks through. */
const soughtIn = ({ title, url }: EntryRow): string => `${title}\n${url}`.toLowerCase();
