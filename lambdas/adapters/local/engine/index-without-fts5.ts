import type { DatabaseSync } from 'node:sqlite';
import { labelledTerms } from '../../../core/language/labels.ts';
import type { TermsByPosition } from '../../../core/language/terms.ts';
import type { VectorBlock } from '../../../core/search/ranking.ts';
import { shortNumbers } from './int16-quantization.ts';
import { Lexicon } from './lexicon.ts';
import { PageTerms } from './page-terms.ts';
import { packVectors } from './page-vectors.ts';
import { packWords } from './page-words.ts';

const TABLES = `
  -- The terms of a space in the order of their numbers: those of each write, joined by blanks, under the number of the first.
  CREATE TABLE index_lexicon (
    space INTEGER NOT NULL,
    first INTEGER NOT NULL,
    terms TEXT NOT NULL,
    PRIMARY KEY (space, first)
  ) STRICT, WITHOUT ROWID;

  -- What a search looks at, as it is loaded into memory (page-words.ts, page-vectors.ts); and how many chunks and terms that is.
  CREATE TABLE index_evidence (
    page INTEGER PRIMARY KEY,
    chunks INTEGER NOT NULL,
    terms INTEGER NOT NULL,
    words BLOB NOT NULL,
    vectors BLOB NOT NULL
  ) STRICT;
`;

const TEXTS_ALONE = `
  CREATE TABLE index_text (
    id INTEGER PRIMARY KEY,
    page INTEGER NOT NULL,
    ord INTEGER NOT NULL,
    headings TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (page, ord)
  ) STRICT;
  INSERT INTO index_text (page, ord, headings, text) SELECT page, ord, headings, text FROM index_chunk ORDER BY id;
  DROP TABLE index_chunk;
  ALTER TABLE index_text RENAME TO index_chunk;
  ALTER TABLE index_page DROP COLUMN title_terms;
  ALTER TABLE index_page DROP COLUMN words;
`;

type OldChunk = {
  readonly ord: number;
  readonly block: VectorBlock | null;
  readonly terms: string;
  readonly headings: string;
  readonly text: string;
  readonly vector_start: number;
  readonly vector_length: number;
  readonly vector: Uint8Array | null;
};

/** Words lay in an FTS5 table for each space, and once more as text beside each chunk; from now on they lie in `index_evidence`. */
export function indexWithoutFts5(database: DatabaseSync): void {
  database.exec(TABLES);
  for (const { id } of database.prepare('SELECT id FROM index_space').all()) {
    moveSpace(Number(id), database);
    database.exec(`DROP TABLE index_vocabulary_${id}; DROP TABLE index_words_${id}`);
  }
  database.exec(TEXTS_ALONE);
}

function moveSpace(space: number, database: DatabaseSync): void {
  const chunksOf = database.prepare(
    'SELECT ord, block, terms, headings, text, vector_start, vector_length, vector FROM index_chunk WHERE page = ? ORDER BY id',
  );
  const insert = database.prepare(
    'INSERT INTO index_evidence (page, chunks, terms, words, vectors) VALUES (?, ?, ?, ?, ?)',
  );
  const lexicon = new Lexicon();
  for (const page of database
    .prepare('SELECT id, title_terms, language FROM index_page WHERE space = ? ORDER BY id')
    .all(space)) {
    const old = chunksOf.all(Number(page.id)) as unknown as readonly OldChunk[];
    const numbers = new PageTerms();
    const titleTerms = numbers.placesOf(String(page.title_terms).split(' ').filter(Boolean));
    const chunks = old.map(({ ord, terms, headings, text }) => {
      const labelled = labelledTerms({ headings: JSON.parse(headings), text }, String(page.language ?? ''));
      return { ord, terms: numbers.sequence(unpackedTerms(terms)), labels: numbers.labels(labelled), linkShare: 0 };
    });
    const words = packWords({ words: numbers.words, titleTerms, chunks }, lexicon);
    const vectors = packVectors(old.map(blockOf));
    const count = chunks.reduce((sum, { terms }) => sum + terms.length, 0);
    insert.run(Number(page.id), chunks.length, count, words, new Uint8Array(vectors.buffer));
  }
  const terms = lexicon.since(0).join(' ');
  if (terms !== '')
    database.prepare('INSERT INTO index_lexicon (space, first, terms) VALUES (?, 0, ?)').run(space, terms);
}

/** Positions were parted by a blank, the terms of one by one that does not break. */
function unpackedTerms(packed: string): TermsByPosition {
  return packed === '' ? [] : packed.split(' ').map((beside) => beside.split('\u00a0'));
}

function blockOf({ block, vector, vector_start: start, vector_length: of }: OldChunk) {
  if (!vector || !block) return undefined;
  return { kind: block, start, of, numbers: shortNumbers(new Float32Array(vector.slice().buffer)) };
}
