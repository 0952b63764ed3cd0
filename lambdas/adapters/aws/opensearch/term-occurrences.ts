import { FNV_OFFSET, fnvStep } from '../../../core/fnv1a.ts';
import type { LabelledTerm } from '../../../core/language/labels.ts';
import type { Term, TermsByPosition } from '../../../core/language/terms.ts';
import { OCCURRENCE_BITS } from './scripts.ts';

type PositionedTerm = Pick<Term, 'term' | 'position'>;

/*
 * An occurrence of a term in a chunk is one number of 63 bits: the term's hash (40), its position in the chunk (14),
 * its index among the terms of that position (5: an identifier shares its position with its parts), and the length of
 * its label (4; 0: no label).
 */
const INDEX_BITS = 5;
const LABEL_BITS = 4;
export const POSITION_SHIFT = INDEX_BITS + LABEL_BITS;
const MAX_POSITION = 2 ** (OCCURRENCE_BITS - POSITION_SHIFT) - 1;
const MAX_INDEX = 2 ** INDEX_BITS - 1;
const MAX_LABEL_LENGTH = 2 ** LABEL_BITS - 1;

/** 40 bits, so that a safe integer has bits left. Another term of a chunk has a given hash in 1 of 10^9 cases. */
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

export const chunkKey = (documentId: string, ord: number): number => termHash(`${documentId} ${ord}`);

/** The occurrences of a chunk's terms, as decimal strings because JSON numbers have 53 bits. */
export function packOccurrences(terms: TermsByPosition, labelled: readonly LabelledTerm[]): readonly string[] {
  const labels = new Map(labelled.map(({ term, length }) => [term, Math.min(length, MAX_LABEL_LENGTH)]));
  return terms.flatMap((atPosition, position) =>
    atPosition.map((term, i) => {
      const order = (Math.min(position, MAX_POSITION) << INDEX_BITS) + Math.min(i, MAX_INDEX);
      const occurrence = (order << LABEL_BITS) + (labels.get(term) ?? 0);
      return String((BigInt(termHash(term)) << BigInt(OCCURRENCE_BITS)) | BigInt(occurrence));
    }),
  );
}

/** The terms in text order, from the occurrences of each without their hashes. */
export function unpackOccurrences(
  found: readonly { readonly term: string; readonly occurrences: readonly number[] }[],
): readonly PositionedTerm[] {
  return found
    .flatMap(({ term, occurrences }) => occurrences.map((occurrence) => ({ term, occurrence })))
    .sort((a, b) => a.occurrence - b.occurrence)
    .map(({ term, occurrence }) => ({ term, position: occurrence >> POSITION_SHIFT }));
}

/** The length of a term's label, by any of its occurrences; 0 without a label. */
export const labelLength = ([occurrence = 0]: readonly number[]): number => occurrence & MAX_LABEL_LENGTH;
