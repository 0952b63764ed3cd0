import type { IndexedChunk } from '../../../domain/ports/page-index.ts';
import { FNV_OFFSET, fnvStep } from '../../../text/words/fnv1a.ts';
import type { Term } from '../../../text/words/terms.ts';

type PositionedTerm = Pick<Term, 'term' | 'position'>;

/*
 * The terms of a chunk are a sorted list of entries of 8 bytes: the term's hash, then an occurrence. An occurrence has
 * the position in the chunk (14 bits), the index among the terms of that position (5: an identifier shares its position
 * with its parts), the length of the term's label (4; 0: no label), and whether the title has the term (1).
 */
export const HASH_BYTES = 5;
export const OCCURRENCE_BYTES = 3;
export const LABEL_BITS = 4;
const INDEX_BITS = 5;
/** Above the title's bit. */
export const LABEL_SHIFT = 1;
export const POSITION_SHIFT = INDEX_BITS + LABEL_BITS + LABEL_SHIFT;
const MAX_POSITION = 2 ** (8 * OCCURRENCE_BYTES - POSITION_SHIFT) - 1;
const MAX_INDEX = 2 ** INDEX_BITS - 1;
const MAX_LABEL_LENGTH = 2 ** LABEL_BITS - 1;

/**
 * Returns a 40-bit hash, so that a safe integer has bits left. Two terms of a chunk have the same hash in 1 of 10^9
 * cases.
 */
export function termHash(term: string): number {
  let high = FNV_OFFSET;
  let low = 0x01234567;
  for (let i = 0; i < term.length; i++) {
    const unit = term.charCodeAt(i);
    high = fnvStep(high, unit);
    low = Math.imul(low ^ unit, 0x5bd1e995);
  }
  return (high >>> 0) * 256 + (low >>> 24);
}

/** Returns the number by which chunks name their page, a hash of its document's id. */
export const occurrenceKey = (documentId: string): number => termHash(documentId);

export const chunkKey = (documentId: string, ord: number): number => termHash(`${documentId} ${ord}`);

/** Returns the entries of a chunk's terms in base64. */
export function packTerms(
  terms: IndexedChunk['terms'],
  labelled: IndexedChunk['labelled'],
  titleTerms: ReadonlySet<string>,
): string {
  const labels = new Map(labelled.map(({ term, length }) => [term, Math.min(length, MAX_LABEL_LENGTH)]));
  const entries = terms.flatMap((atPosition, position) =>
    atPosition.map((term, i) => {
      const order = (Math.min(position, MAX_POSITION) << INDEX_BITS) + Math.min(i, MAX_INDEX);
      const label = ((labels.get(term) ?? 0) << LABEL_SHIFT) + (titleTerms.has(term) ? 1 : 0);
      return { hash: termHash(term), occurrence: (order << (LABEL_BITS + LABEL_SHIFT)) + label };
    }),
  );
  const bytes = Buffer.alloc(entries.length * (HASH_BYTES + OCCURRENCE_BYTES));
  let at = 0;
  for (const { hash, occurrence } of entries.sort((a, b) => a.hash - b.hash || a.occurrence - b.occurrence)) {
    at = bytes.writeUIntBE(hash, at, HASH_BYTES);
    at = bytes.writeUIntBE(occurrence, at, OCCURRENCE_BYTES);
  }
  return bytes.toString('base64');
}

/** Returns the terms in text order, from the occurrences of each term without their hashes. */
export function unpackOccurrences(
  found: readonly { readonly term: string; readonly occurrences: readonly number[] }[],
): readonly PositionedTerm[] {
  return found
    .flatMap(({ term, occurrences }) => occurrences.map((occurrence) => ({ term, occurrence })))
    .sort((a, b) => a.occurrence - b.occurrence)
    .map(({ term, occurrence }) => ({ term, position: occurrence >> POSITION_SHIFT }));
}

/** Returns the length of a term's label, which each of its occurrences holds; 0 without a label. */
export const labelLength = ([occurrence = 0]: readonly number[]): number =>
  (occurrence >> LABEL_SHIFT) & MAX_LABEL_LENGTH;

/** Returns whether the title has the term, which each of its occurrences holds. */
export const isInTitle = ([occurrence = 0]: readonly number[]): boolean => (occurrence & 1) === 1;
