import { isOneEditFromPrefix, withinEditDistance } from '../core/language/edit-distance.ts';
import { cut } from '../core/language/folding.ts';
import { allowedEdits, LONGEST_BEGINNING } from '../core/language/spelling.ts';
import type { SpelledWord } from '../core/ports/page-index.ts';
import type { Lexicon } from './lexicon.ts';
import type { Sections } from './segment-format.ts';
import { TopPages } from './top-k.ts';

/** Begins the lexicon's entry for a word as it is spelled. No other term begins with it. */
export const MARK = '=';
const AFTER_MARK = '>';

export const spelledTerm = (word: string): string => MARK + word;
export const isSpelled = (term: string): boolean => term.startsWith(MARK);

/** Completions read of each segment: enough to include the most frequent words of all segments. */
export const MOST_COMPLETIONS = 60;

type Wanted = {
  readonly edits?: 0 | 1 | 2;
  /** Looked at before the word is read. */
  readonly mayBe?: (term: number) => boolean;
};

const anyTerm = (): boolean => true;

/** The words of a segment's pages as they are spelled, each with the number of pages. */
export class Spellings {
  readonly #lexicon: Lexicon;
  /** The first one in the lexicon. */
  readonly #from: number;
  readonly #letters: Uint32Array;
  readonly #lengths: Uint8Array;
  /** By term: pages that have it, without deleted ones. */
  #pages: Uint32Array;
  #isOwn = false;

  constructor({ spelledPages, spelledLetters, spelledLengths }: Sections, lexicon: Lexicon) {
    this.#lexicon = lexicon;
    this.#from = lexicon.lowerBound(MARK);
    this.#pages = spelledPages;
    this.#letters = spelledLetters;
    this.#lengths = spelledLengths;
  }

  /** Takes a page with these words from the counts. */
  discount(terms: Uint32Array): void {
    if (!this.#isOwn) this.#pages = this.#pages.slice();
    this.#isOwn = true;
    for (const term of terms) this.#pages[term - this.#from] = (this.#pages[term - this.#from] as number) - 1;
  }

  pagesWith(word: string): number {
    const term = this.#lexicon.idOf(spelledTerm(word));
    return term === undefined ? 0 : (this.#pages[term - this.#from] as number);
  }

  /** The other words within the edit distance, by default the one that the length of the word allows. */
  similarTo(word: string, { edits = allowedEdits(word), mayBe = anyTerm }: Wanted = {}): readonly SpelledWord[] {
    if (edits === 0) return [];
    const wanted = letterBits(word);
    const [least, most] = [word.length - edits, word.length + edits];
    const found: SpelledWord[] = [];
    for (let i = 0; i < this.#lengths.length; i++) {
      const length = this.#lengths[i] as number;
      if (length < least || length > most) continue;
      if (bitCount((this.#letters[i] as number) ^ wanted) > 2 * edits || !mayBe(this.#from + i)) continue;
      const other = this.#wordAt(i);
      const pages = this.#pages[i] as number;
      if (pages > 0 && other !== word && withinEditDistance(word, other, edits)) found.push({ word: other, pages });
    }
    return found;
  }

  /** The most frequent of the other words that begin with the text. */
  completionsOf(text: string): readonly SpelledWord[] {
    const [from, to] = this.#range(text);
    const top = new TopPages(MOST_COMPLETIONS, 0);
    for (let i = from; i < to; i++) top.offer(i, i, this.#pages[i] as number);
    const found = top.chunks.map((i) => ({ word: this.#wordAt(i), pages: this.#pages[i] as number }));
    return found.filter(({ word }) => word !== text);
  }

  /** The words that begin almost like the text: with one wrong letter, but for the first two swapped or right. */
  similarCompletionsOf(typed: string, { mayBe = anyTerm }: Pick<Wanted, 'mayBe'> = {}): readonly SpelledWord[] {
    const text = cut(typed, LONGEST_BEGINNING);
    const wanted = letterBits(text);
    const found: SpelledWord[] = [];
    for (const start of new Set([text.charAt(0), text.charAt(1)])) {
      const [from, to] = this.#range(start);
      for (let i = from; i < to; i++) {
        // One edit takes at most one of the letters away.
        if (bitCount(wanted & ~(this.#letters[i] as number)) > 1 || !mayBe(this.#from + i)) continue;
        const word = this.#wordAt(i);
        const pages = this.#pages[i] as number;
        if (pages > 0 && isOneEditFromPrefix(text, word)) found.push({ word, pages });
      }
    }
    return found;
  }

  /** The terms of the words that begin with the text; `to` is exclusive. */
  termsWithPrefix(text: string): readonly [from: number, to: number] {
    const [from, to] = this.#range(text);
    return [this.#from + from, this.#from + to];
  }

  /** The words that begin with the text; `to` is exclusive. */
  #range(text: string): readonly [from: number, to: number] {
    const start = spelledTerm(text);
    const from = this.#lexicon.lowerBound(start);
    if (!this.#lexicon.termOf(from).startsWith(start)) return [0, 0];
    const end = text === '' ? AFTER_MARK : start + LAST_CHARACTER;
    return [from - this.#from, this.#lexicon.lowerBound(end) - this.#from];
  }

  #wordAt(index: number): string {
    return this.#lexicon.termOf(this.#from + index).slice(MARK.length);
  }
}

const LAST_CHARACTER = '\uffff';

/** A set of letters. An edit changes at most two of its bits, so most words are rejected without comparing. */
export function letterBits(term: string): number {
  let bits = 0;
  for (let i = 0; i < term.length; i++) bits |= 1 << (term.charCodeAt(i) & 31);
  return bits >>> 0;
}

function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
