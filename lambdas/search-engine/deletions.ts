import { FNV_OFFSET, fnvStep } from '../text/words/fnv1a.ts';
import { increment } from './arrays.ts';
import type { Sections } from './segment-format.ts';
import { VarintReader, VarintWriter } from './varints.ts';

/*
 * Finds words by deletion neighbourhoods, as SymSpell does (Garbe, 2012): a word is listed under its first five
 * letters, whole and without each one of them. Two words that are one edit apart share one of these texts. Two edits in
 * a word of nine letters or more leave at most one to its beginning or to its end, so longer words are listed by their
 * last five letters too.
 */

/** Number of letters of a word's beginning, and of its end, that are listed. */
export const PIECE = 5;
/** Two edits make a word of nine letters from one of seven. */
const MIN_WITH_END_LENGTH = 7;
/** Seed for hashes of word ends: an end and a beginning with the same letters are in different lists. */
const END = fnvStep(FNV_OFFSET, 1);

/** Visits a hash of the letters from `start` to `end`, and one of these without each letter. */
function forEachDeletion(word: string, [start, end]: readonly [number, number], seed: number, visit: Visit): void {
  for (let left = start; left <= end; left++) {
    let hash = seed;
    for (let i = start; i < end; i++) if (i !== left) hash = fnvStep(hash, word.charCodeAt(i));
    visit(hash ^ (hash >>> 15));
  }
}
type Visit = (hash: number) => void;

function forEachBeginning(word: string, visit: Visit): void {
  forEachDeletion(word, [0, Math.min(PIECE, word.length)], FNV_OFFSET, visit);
}

function forEachEnd(word: string, visit: Visit): void {
  if (word.length >= MIN_WITH_END_LENGTH) forEachDeletion(word, [word.length - PIECE, word.length], END, visit);
}

/** Packs the deletion lists of the words. A word's number is its index in `words`. */
export function packedDeletions(words: readonly string[]) {
  const count = 2 ** Math.ceil(Math.log2(Math.max(1, words.length)));
  const next = new Uint32Array(count + 1);
  for (const word of words) {
    const add = (hash: number): unknown => increment(next, (hash & (count - 1)) + 1);
    forEachBeginning(word, add);
    forEachEnd(word, add);
  }
  for (let list = 0; list < count; list++) next[list + 1] = (next[list + 1] as number) + (next[list] as number);
  const listed = new Uint32Array(next[count] as number);
  for (let i = 0; i < words.length; i++) {
    const add = (hash: number): unknown => (listed[increment(next, hash & (count - 1))] = i);
    forEachBeginning(words[i] as string, add);
    forEachEnd(words[i] as string, add);
  }
  return packedLists(next, listed);
}

/** `ends`: the end of each list, which is the start of the next one. */
function packedLists(ends: Uint32Array, listed: Uint32Array) {
  const writer = new VarintWriter(2 * listed.length);
  const deletionStarts = new Uint32Array(ends.length);
  let at = 0;
  for (let list = 0; list + 1 < ends.length; list++) {
    let previous = -1;
    for (; at < (ends[list] as number); at++) {
      const word = listed[at] as number;
      if (word !== previous) writer.write(word - previous);
      previous = word;
    }
    deletionStarts[list + 1] = writer.length;
  }
  return { deletionStarts, deletions: writer.view() };
}

/** The deletion lists of a segment. */
export class Deletions {
  readonly #starts: Uint32Array;
  readonly #lists: VarintReader;

  constructor({ deletionStarts, deletions }: Pick<Sections, 'deletionStarts' | 'deletions'>) {
    this.#starts = deletionStarts;
    this.#lists = new VarintReader(deletions);
  }

  /**
   * Visits all words within the edit distance, with false positives and repetitions. With one edit, it also visits all
   * words that have a prefix of four or more letters within one edit.
   */
  forEachNear(word: string, edits: 1 | 2, visit: (word: number) => void): void {
    const read = (hash: number): void => this.#forEachListed(hash & (this.#starts.length - 2), visit);
    forEachBeginning(word, read);
    if (edits === 2) forEachEnd(word, read);
  }

  #forEachListed(list: number, visit: (word: number) => void): void {
    const [start, end] = [this.#starts[list] as number, this.#starts[list + 1] as number];
    this.#lists.offset = start;
    for (let word = -1; this.#lists.offset < end; ) {
      word += this.#lists.next();
      visit(word);
    }
  }
}
