import type { CandidateQuery, Phrase, SearchScope } from '../domain/ports/index-reader.ts';
import { GrowableArray, IdMap, uint32s } from './arrays.ts';
import { WordPostings } from './lexical-scorer.ts';
import { filterTest, type PageFacts, type PageTest } from './page-facts.ts';
import type { Segment } from './segment.ts';

/** For each page: 1 if it may be returned. Undefined allows all pages. */
export type PageMask = Uint8Array | undefined;

const NEVER = -2;

/** Returns the pages that the filters of a scope and the phrases of a query allow. */
export function pageMask(
  { requiredPhrases, excludedPhrases }: CandidateQuery,
  { filters = [] }: SearchScope,
  segment: Segment,
): PageMask {
  let mask = filters.length > 0 ? pagesWith(filters.map(filterTest), segment) : undefined;
  for (const phrase of requiredPhrases) mask = pagesWithPhrase(phrase, segment, mask);
  for (const phrase of excludedPhrases) mask = without(pagesWithPhrase(phrase, segment, mask), mask);
  return mask;
}

function pagesWith(tests: readonly PageTest[], segment: Segment): Uint8Array {
  const passes = (facts: PageFacts) => tests.every((test) => test(facts));
  return Uint8Array.from({ length: segment.size }, (_, page) => (passes(segment.factsOf(page)) ? 1 : 0));
}

const without = (excluded: Uint8Array, mask: PageMask): Uint8Array =>
  excluded.map((isExcluded, page) => (isExcluded === 0 && mask?.[page] !== 0 ? 1 : 0));

/** Returns the allowed pages that have the phrase within one chunk. */
function pagesWithPhrase(phrase: Phrase, segment: Segment, mask: PageMask): Uint8Array {
  const { pageOf, size } = segment;
  const words = phrase.map((forms) => new WordPostings(forms, segment));
  const found = new Uint8Array(size);
  const chunks = chunksWithAll(words, segment);
  const finder = new PhraseFinder(
    words.map(({ ids }) => ids),
    segment,
  );
  for (let i = 0; i < chunks.length; i++) {
    const chunk = chunks.numbers[i] as number;
    const page = pageOf[chunk] as number;
    if (found[page] === 1 || mask?.[page] === 0) continue;
    if (words.length === 1 || finder.isIn(chunk)) found[page] = 1;
  }
  return found;
}

/** Returns the chunks that have every word, in any position. */
function chunksWithAll(words: readonly WordPostings[], segment: Segment): GrowableArray<Uint32Array> {
  /** For each chunk: how many words it has, counted up to the first missing one. */
  const matched = new Uint32Array(segment.chunks);
  const found = new GrowableArray(uint32s);
  for (const [word, postings] of words.entries()) {
    const list = postings.read();
    for (let i = 0; i < list.length; i++) {
      const chunk = list.chunks[i] as number;
      if (matched[chunk] !== word) continue;
      matched[chunk] = word + 1;
      if (word === words.length - 1) found.push(chunk);
    }
  }
  return found;
}

class PhraseFinder {
  readonly #segment: Segment;
  readonly #lastWord: number;
  /** Indexed by rank: the words of the phrase that the term is a form of. */
  readonly #wordsOf = new IdMap<number[]>();
  /**
   * For each word of the phrase: the last position at which the phrase matches up to that word. Even and odd positions
   * use separate arrays, because several terms can share a position and must not extend each other's match.
   */
  readonly #matchedAt: readonly [Int32Array, Int32Array];

  constructor(words: readonly (readonly number[])[], segment: Segment) {
    this.#segment = segment;
    this.#lastWord = words.length - 1;
    this.#matchedAt = [new Int32Array(words.length), new Int32Array(words.length)];
    for (const [word, ids] of words.entries()) {
      for (const id of ids) {
        const known = this.#wordsOf.get(segment.rankOf(id)) ?? [];
        this.#wordsOf.set(segment.rankOf(id), known);
        known.push(word);
      }
    }
  }

  isIn(chunk: number): boolean {
    for (const positions of this.#matchedAt) positions.fill(NEVER);
    const reader = this.#segment.readerAt(chunk);
    let position = -1;
    for (let left = this.#segment.lengths[chunk] as number; left > 0; left--) {
      const term = reader.next();
      if ((term & 1) === 0) position++;
      const words = this.#wordsOf.get(term >>> 1);
      if (words && this.#completes(words, position)) return true;
    }
    return false;
  }

  /** Extends the matches that end at the previous position by these words, and returns whether one is complete. */
  #completes(words: readonly number[], position: number): boolean {
    const [even, odd] = this.#matchedAt;
    const [current, previous] = position % 2 === 0 ? [even, odd] : [odd, even];
    for (const word of words) {
      if (word > 0 && previous[word - 1] !== position - 1) continue;
      if (word === this.#lastWord) return true;
      current[word] = position;
    }
    return false;
  }
}
