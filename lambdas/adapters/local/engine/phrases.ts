import type { Phrase } from '../../../core/ports/page-index.ts';
import { Column, uint32s } from './growable-array.ts';
import { chunksWith } from './lexical-scorer.ts';
import type { SpaceIndex } from './space-index.ts';

/** By page: 1 for those, of the ones that are looked at, that have the phrase in one chunk. */
export function pagesWithPhrase(phrase: Phrase, index: SpaceIndex, isLookedAt?: Uint8Array): Uint8Array {
  const { pageOf, size } = index.pages;
  const words = phrase.map((forms) => forms.flatMap((form) => index.lexicon.idOf(form) ?? []));
  const found = new Uint8Array(size);
  const chunks = chunksWithAll(words, index);
  const finder = new PhraseFinder(words, index);
  for (let i = 0; i < chunks.length; i++) {
    const chunk = chunks.numbers[i] as number;
    const page = pageOf.numbers[chunk] as number;
    if (found[page] === 1 || isLookedAt?.[page] === 0) continue;
    if (words.length === 1 || finder.standsIn(chunk)) found[page] = 1;
  }
  return found;
}

/** The chunks that have each of the words somewhere. */
function chunksWithAll(words: readonly (readonly number[])[], index: SpaceIndex): Column<Uint32Array> {
  /** By chunk: how many of the words it has, from the first on, until it lacks one. */
  const reached = new Uint32Array(index.pages.chunks);
  const found = new Column(uint32s);
  for (const [place, ids] of words.entries()) {
    const list = chunksWith(ids, index);
    for (let i = 0; i < list.length; i++) {
      const chunk = list.chunks.numbers[i] as number;
      if (reached[chunk] !== place) continue;
      reached[chunk] = place + 1;
      if (place === words.length - 1) found.push(chunk);
    }
  }
  return found;
}

/** Tells whether some words stand next to each other, in their order, in a chunk. */
class PhraseFinder {
  readonly #pages: SpaceIndex['pages'];
  readonly #last: number;
  readonly #placesOf = new Map<number, number[]>();
  readonly #isSought: Uint8Array;
  /** By place of a word: the last position at which the phrase stood so far; even and odd positions apart, for terms share some. */
  readonly #stood: readonly [Int32Array, Int32Array];

  constructor(words: readonly (readonly number[])[], { pages, lexicon }: SpaceIndex) {
    this.#pages = pages;
    this.#last = words.length - 1;
    this.#isSought = new Uint8Array(lexicon.size);
    this.#stood = [new Int32Array(words.length), new Int32Array(words.length)];
    for (const [place, ids] of words.entries()) {
      for (const id of ids) {
        this.#isSought[id] = 1;
        const places = this.#placesOf.get(id) ?? [];
        this.#placesOf.set(id, places);
        places.push(place);
      }
    }
  }

  standsIn(chunk: number): boolean {
    for (const stood of this.#stood) stood.fill(NEVER);
    const reader = this.#pages.readerAt(chunk);
    let position = -1;
    for (let left = this.#pages.lengths.numbers[chunk] as number; left > 0; left--) {
      const term = reader.next();
      if ((term & 1) === 0) position++;
      if (this.#isSought[term >>> 1] === 1 && this.#endsWith(term >>> 1, position)) return true;
    }
    return false;
  }

  #endsWith(id: number, position: number): boolean {
    const [even, odd] = this.#stood;
    const [here, before] = position % 2 === 0 ? [even, odd] : [odd, even];
    for (const place of this.#placesOf.get(id) ?? []) {
      if (place > 0 && before[place - 1] !== position - 1) continue;
      if (place === this.#last) return true;
      here[place] = position;
    }
    return false;
  }
}

const NEVER = -2;
