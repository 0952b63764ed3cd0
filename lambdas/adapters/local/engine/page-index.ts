import type { DatabaseSync } from 'node:sqlite';
import { candidateFinder } from './candidates.ts';
import { indexReader } from './index-reader.ts';
import { IndexSpaces } from './index-space.ts';
import { indexWriter } from './index-writer.ts';
import { VectorCache } from './vector-cache.ts';
import { Vocabulary } from './vocabulary.ts';

/** `PageIndex` over SQLite: an FTS5 table for each site's generation, and vectors that are scanned whole. */
export function pageIndexStore(database: DatabaseSync) {
  const spaces = new IndexSpaces(database);
  const vectors = new VectorCache(database);
  const vocabulary = new Vocabulary(spaces);
  return {
    ...indexWriter(database, spaces, vectors),
    ...indexReader(database, spaces),
    candidates: candidateFinder({ database, spaces, vectors, vocabulary }),
  };
}
