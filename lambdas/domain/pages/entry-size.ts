import type { IndexedChunk } from '../ports/page-index.ts';

/**
 * Maximum size of a page, which is one index request. OpenSearch Service accepts at most 10 MiB on its smaller
 * machines.
 */
const MAX_BYTES = 9_000_000;
/** Bytes for title, summary, tags, metadata, aliases and the page's own terms, all of which are bounded. */
const PAGE_BYTES = 500_000;
/**
 * An occurrence of a term is stored as a quoted number of up to 19 digits; a distinct term of the page, of up to 16.
 */
const OCCURRENCE_BYTES = 22;
const PAGE_TERM_BYTES = 17;
/** Bytes of one number of a vector as text, including sign, point and comma. */
const VECTOR_NUMBER_BYTES = 8;
const FIELD_NAMES_BYTES = 200;
/** Bytes of a UTF-16 code unit. */
const MAX_UTF8_BYTES = 3;
/** Bytes of a UTF-16 code unit in JSON within JSON, where a control character is `\\\\u0000`. */
const MAX_JSON_BYTES = 7;
/** Characters of a section as JSON, without its heading and anchor. */
const SECTION_CHARACTERS = 60;

/** A chunk, with the number of its terms and their total length. */
export type SizedChunk = {
  readonly chunk: Pick<IndexedChunk, 'text' | 'headings' | 'sections' | 'terms' | 'labelled'>;
  readonly occurrences: number;
  readonly characters: number;
};

/** Returns the first chunks of a page that fit into an index entry, at least one. The estimate is an upper bound. */
export function fittingChunks<T extends SizedChunk>(chunks: readonly T[], dimensions: number): readonly T[] {
  if (PAGE_BYTES + chunks.reduce((sum, chunk) => sum + mostBytes(chunk, dimensions), 0) <= MAX_BYTES) return chunks;
  const distinct = new Set<string>();
  let bytes = PAGE_BYTES;
  for (const [count, { chunk }] of chunks.entries()) {
    const before = distinct.size;
    for (const atPosition of chunk.terms) for (const term of atPosition) distinct.add(term);
    bytes += chunkBytes(chunk, dimensions) + (distinct.size - before) * PAGE_TERM_BYTES;
    if (bytes > MAX_BYTES && count > 0) return chunks.slice(0, count);
  }
  return chunks;
}

/**
 * Returns an upper bound of the bytes of a chunk and its terms. It is quick, and nearly all pages are far below the
 * limit.
 */
function mostBytes({ chunk, occurrences, characters }: SizedChunk, dimensions: number): number {
  const { text, headings, sections, labelled } = chunk;
  let shown = text.length + 1;
  for (const heading of headings) shown += heading.length + 1;
  for (const { heading, anchor } of sections) shown += heading.length + anchor.length + SECTION_CHARACTERS;
  let labels = 0;
  for (const { term } of labelled) labels += term.length + 1;
  const terms = MAX_UTF8_BYTES * characters + (1 + OCCURRENCE_BYTES + PAGE_TERM_BYTES) * occurrences;
  return terms + MAX_JSON_BYTES * shown + MAX_UTF8_BYTES * labels + chunkBesides(dimensions);
}

function chunkBytes(chunk: SizedChunk['chunk'], dimensions: number): number {
  const all = chunk.terms.flat();
  const words = all.reduce((sum, term) => sum + Buffer.byteLength(term) + 1, 0);
  return words + all.length * OCCURRENCE_BYTES + bytesBesideTerms(chunk, dimensions);
}

function bytesBesideTerms({ text, headings, sections, labelled }: SizedChunk['chunk'], dimensions: number): number {
  const labels = labelled.reduce((sum, { term }) => sum + Buffer.byteLength(term) + 1, 0);
  const shown = Buffer.byteLength(JSON.stringify([text, headings, sections.map((section) => JSON.stringify(section))]));
  return shown + labels + chunkBesides(dimensions);
}

const chunkBesides = (dimensions: number): number => dimensions * VECTOR_NUMBER_BYTES + FIELD_NAMES_BYTES;
