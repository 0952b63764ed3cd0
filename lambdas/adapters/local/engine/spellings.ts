import { isOneEditFromPrefix, withinEditDistance } from '../../../core/language/edit-distance.ts';
import { cut } from '../../../core/language/folding.ts';
import { allowedEdits, LONGEST_BEGINNING } from '../../../core/language/spelling.ts';
import { MAX_FOUND_WORDS, type SpelledWord } from '../../../core/ports/page-index.ts';
import { GrowableArray, uint32s } from './growable-array.ts';
import type { Lexicon } from './lexicon.ts';
import { TopPages } from './top-k.ts';

/** Begins the lexicon's entry for a word as it is spelled. No term contains it. */
const MARK = '=';

export const spelledTerm = (word: string): string => MARK + word;

/** The words of a partition's pages as they are spelled, each with the number of pages. */
export class Spellings {
  readonly #lexicon: Lexicon;
  /** By id in the lexicon. */
  readonly #pages = new GrowableArray(uint32s);
  readonly #byLength: WordsOfLength[] = [];
  /** Ids in the order of their words, those words, and ids that are not among them yet. */
  #sorted: readonly number[] = [];
  #words: readonly string[] = [];
  #added: number[] = [];

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  get bytes(): number {
    return this.#pages.bytes + 40 * this.#sorted.length;
  }

  /** Adds `pages`, 1 or -1, to the words' numbers of pages. */
  count(ids: Iterable<number>, pages: 1 | -1): void {
    for (const id of ids) {
      while (this.#pages.length <= id) this.#pages.push(UNSEEN);
      const known = this.#pages.numbers[id] as number;
      if (known === UNSEEN) this.#addWord(id);
      this.#pages.numbers[id] = (known === UNSEEN ? 0 : known) + pages;
    }
  }

  /** `spelled` is the `spelledTerm` of a word. */
  pagesWith(spelled: string): number {
    const id = this.#lexicon.idOf(spelled);
    return id === undefined ? 0 : this.#pagesOf(id);
  }

  /** The other words within the edit distance that the word's length allows. */
  similarTo(word: string): readonly SpelledWord[] {
    const edits = allowedEdits(word);
    if (edits === 0) return [];
    const wanted = letterBits(word);
    const found: SpelledWord[] = [];
    for (let length = word.length - edits; length <= word.length + edits; length++) {
      const { ids, letters } = this.#byLength[length] ?? NO_WORDS;
      for (let i = 0; i < ids.length; i++) {
        if (bitCount((letters.numbers[i] as number) ^ wanted) > 2 * edits) continue;
        const id = ids.numbers[i] as number;
        const other = this.#wordOf(id);
        const pages = this.#pagesOf(id);
        if (pages > 0 && other !== word && withinEditDistance(word, other, edits)) found.push({ word: other, pages });
      }
    }
    return found;
  }

  /** The most frequent of the other words that begin with the text. */
  completionsOf(text: string): readonly SpelledWord[] {
    const [from, to] = this.#range(text);
    if (from === to) return [];
    const found: SpelledWord[] = [];
    for (const i of this.#mostFrequent(from, to)) {
      const word = this.#words[i] as string;
      const pages = this.#pagesOf(this.#sorted[i] as number);
      if (pages > 0 && word !== text) found.push({ word, pages });
    }
    return found;
  }

  /** Indexes of the most frequent words of a range, or all of a small one. */
  #mostFrequent(from: number, to: number): readonly number[] {
    if (to - from <= MAX_FOUND_WORDS) return Array.from({ length: to - from }, (_, i) => from + i);
    const top = new TopPages(MAX_FOUND_WORDS, 0);
    for (let i = from; i < to; i++) top.offer(i, i, this.#pagesOf(this.#sorted[i] as number));
    return top.chunks;
  }

  /** The words that begin almost like the text: with one wrong letter, but for the first two swapped or right. */
  similarCompletionsOf(typed: string): readonly SpelledWord[] {
    const text = cut(typed, LONGEST_BEGINNING);
    const found: SpelledWord[] = [];
    for (const start of new Set([text.charAt(0), text.charAt(1)])) {
      const [from, to] = this.#range(start);
      for (let i = from; i < to; i++) {
        const word = this.#words[i] as string;
        if (!isOneEditFromPrefix(text, word)) continue;
        const pages = this.#pagesOf(this.#sorted[i] as number);
        if (pages > 0) found.push({ word, pages });
      }
    }
    return found;
  }

  /** The words that begin with the text: their first index in order, and the one after the last. */
  #range(text: string): readonly [from: number, to: number] {
    this.#sort();
    const from = lowerBound(this.#words, text);
    if (!this.#words[from]?.startsWith(text)) return [from, from];
    return [from, lowerBound(this.#words, text + LAST_CHARACTER)];
  }

  #sort(): void {
    if (this.#added.length === 0) return;
    const word = (id: number) => this.#wordOf(id);
    const added = this.#added.sort((a, b) => (word(a) < word(b) ? -1 : 1));
    const merged: number[] = [];
    let next = 0;
    for (const [i, id] of this.#sorted.entries()) {
      while (next < added.length && word(added[next] as number) < (this.#words[i] as string))
        merged.push(added[next++] as number);
      merged.push(id);
    }
    merged.push(...added.slice(next));
    this.#added = [];
    this.#sorted = merged;
    this.#words = merged.map(word);
  }

  #addWord(id: number): void {
    const word = this.#wordOf(id);
    const ofLength = this.#byLength[word.length] ?? {
      ids: new GrowableArray(uint32s),
      letters: new GrowableArray(uint32s),
    };
    this.#byLength[word.length] = ofLength;
    ofLength.ids.push(id);
    ofLength.letters.push(letterBits(word));
    this.#added.push(id);
  }

  #wordOf(id: number): string {
    return this.#lexicon.termOf(id).slice(MARK.length);
  }

  #pagesOf(id: number): number {
    const pages = id < this.#pages.length ? (this.#pages.numbers[id] as number) : UNSEEN;
    return pages === UNSEEN ? 0 : pages;
  }
}

const UNSEEN = 2 ** 32 - 1;
const LAST_CHARACTER = '\uffff';

function lowerBound(words: readonly string[], text: string): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((words[middle] as string) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `letters` are bit sets. An edit changes at most two bits, so most words are rejected without comparing. */
type WordsOfLength = { readonly ids: GrowableArray<Uint32Array>; readonly letters: GrowableArray<Uint32Array> };
const NO_WORDS: WordsOfLength = { ids: new GrowableArray(uint32s), letters: new GrowableArray(uint32s) };

function letterBits(term: string): number {
  let bits = 0;
  for (let i = 0; i < term.length; i++) bits |= 1 << (term.charCodeAt(i) & 31);
  return bits;
}

function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
