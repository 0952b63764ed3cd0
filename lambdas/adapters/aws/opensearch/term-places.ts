import type { LabelledTerm } from '../../../core/language/labels.ts';
import type { Term, TermsByPosition } from '../../../core/language/terms.ts';
import { PLACE_BITS, TITLE_BITS } from './scripts.ts';

type Placed = Pick<Term, 'term' | 'position'>;

/*
 * Below its hash an occurrence of a term in a chunk has, from the highest bit: its position, its place among the terms of that
 * position (an identifier stands beside its parts), and the length of its label, 0 if it stands in none.
 */
const BESIDE_BITS = 5;
const LABEL_BITS = 4;
/** Bits below the position. */
export const BELOW_POSITION = BESIDE_BITS + LABEL_BITS;
const LAST_POSITION = 2 ** (PLACE_BITS - BELOW_POSITION) - 1;
const LAST_BESIDE = 2 ** BESIDE_BITS - 1;
const LONGEST_LABEL = 2 ** LABEL_BITS - 1;

/** 40 bits: a safe integer with room for more below. A chunk has another term of the same hash once in 10^9 times. */
export function termHash(term: string): number {
  let high = 0x811c9dc5;
  let low = 0x01234567;
  for (let i = 0; i < term.length; i++) {
    const unit = term.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x01000193) >>> 0;
    low = Math.imul(low ^ unit, 0x5bd1e995) >>> 0;
  }
  return high * 256 + (low >>> 24);
}

/** Finds a chunk of a page; the site is in the id. */
export const chunkKey = (documentId: string, ord: number): number => termHash(`${documentId} ${ord}`);

/** The occurrences of a chunk's terms, each one number of 63 bits. */
export function packPlaces(terms: TermsByPosition, labelled: readonly LabelledTerm[]): readonly string[] {
  const labels = new Map(labelled.map(({ term, length }) => [term, Math.min(length, LONGEST_LABEL)]));
  return terms.flatMap((beside, position) =>
    beside.map((term, i) => {
      const place = (Math.min(position, LAST_POSITION) << BESIDE_BITS) + Math.min(i, LAST_BESIDE);
      const below = (place << LABEL_BITS) + (labels.get(term) ?? 0);
      return String((BigInt(termHash(term)) << BigInt(PLACE_BITS)) | BigInt(below));
    }),
  );
}

/** A page's distinct terms as numbers: the hash, and whether the title has it. */
export function packWords(words: Iterable<string>, titleTerms: ReadonlySet<string>): readonly number[] {
  return Array.from(new Set(words), (word) => termHash(word) * 2 ** TITLE_BITS + (titleTerms.has(word) ? 1 : 0));
}

/** The sought terms of a chunk in the order in which they stand, from what lies below the hashes of each. */
export function unpackPlaces(
  found: readonly { readonly term: string; readonly places: readonly number[] }[],
): readonly Placed[] {
  return found
    .flatMap(({ term, places }) => places.map((place) => ({ term, place })))
    .sort((a, b) => a.place - b.place)
    .map(({ term, place }) => ({ term, position: place >> BELOW_POSITION }));
}

/** The length of the label that a term stands in; each of its places tells it. */
export const labelLength = ([place = 0]: readonly number[]): number => place & LONGEST_LABEL;
