import type { SpelledWord } from '../domain/ports/index-reader.ts';
import { isOneEditFromPrefix, withinEditDistance } from '../text/words/edit-distance.ts';
import { cut } from '../text/words/folding.ts';
import { allowedEdits, MAX_BEGINNING_LENGTH } from '../text/words/spelling.ts';
import { Deletions, PIECE } from './deletions.ts';
import type { Lexicon } from './lexicon.ts';
import type { Sections } from './segment-format.ts';
import { TopPages } from './top-k.ts';

/** Prefix of a spelled word in the lexicon. No other term begins with it. */
export const MARK = '=';
const AFTER_MARK = '>';

export const spelledTerm = (word: string): string => MARK + word;
export const hasSpelling = (term: string): boolean => term.startsWith(MARK);

/** Completions read of each segment: enough to include the most frequent words of all segments. */
export const MAX_COMPLETIONS = 60;

type Wanted = {
  readonly edits?: 0 | 1 | 2;
  /** Tested before the word is read. */
  readonly mayBe?: (term: number) => boolean;
};

type Visit = (index: number) => void;

const anyTerm = (): boolean => true;

/** The words of a segment as they are spelled, before stemming, each with its number of pages. */
export class Spellings {
  /** Number of the first spelled word in the lexicon. */
  readonly first: number;
  readonly #lexicon: Lexicon;
  readonly #letters: Uint32Array;
  readonly #lengths: Uint8Array;
  readonly #deletions: Deletions;
  /** For each spelled word: the number of live pages that have it. */
  #pages: Uint32Array;
  #isOwn = false;

  constructor(sections: Sections, lexicon: Lexicon) {
    this.#lexicon = lexicon;
    this.first = lexicon.lowerBound(MARK);
    this.#pages = sections.spelledPages;
    this.#letters = sections.spelledLetters;
    this.#lengths = sections.spelledLengths;
    this.#deletions = new Deletions(sections);
  }

  /** Subtracts one page from the counts of these words. */
  discount(words: Uint32Array): void {
    if (!this.#isOwn) this.#pages = this.#pages.slice();
    this.#isOwn = true;
    for (const word of words) this.#pages[word] = (this.#pages[word] as number) - 1;
  }

  /** Returns the number of pages with the term; 0 if it is not a spelled word. */
  pagesAt(term: number): number {
    return this.#pages[term - this.first] ?? 0;
  }

  pagesWith(word: string): number {
    const term = this.#lexicon.idOf(spelledTerm(word));
    return term === undefined ? 0 : (this.#pages[term - this.first] as number);
  }

  /** Returns other words within the edit distance, by default the one allowed for the word's length. */
  similarTo(word: string, { edits = allowedEdits(word), mayBe = anyTerm }: Wanted = {}): readonly SpelledWord[] {
    if (edits === 0) return [];
    const wanted = letterBits(word);
    const near = (visit: Visit) => this.#deletions.forEachNear(word, edits, visit);
    return this.#found(near, (i) => {
      const longer = (this.#lengths[i] as number) - word.length;
      if (longer > edits || longer < -edits) return false;
      // A letter that one of the two lacks takes an edit other than those that make up for the lengths.
      const bits = this.#letters[i] as number;
      if (!hasAtMost(edits - Math.max(0, longer), wanted & ~bits)) return false;
      if (!hasAtMost(edits - Math.max(0, -longer), bits & ~wanted) || !mayBe(this.first + i)) return false;
      const other = this.#wordAt(i);
      return other !== word && withinEditDistance(word, other, edits);
    });
  }

  /** Returns the most frequent other words that begin with the text. */
  completionsOf(text: string): readonly SpelledWord[] {
    const top = new TopPages(MAX_COMPLETIONS, 0);
    this.#forEachWithPrefix(text, (i) => top.offer(i, i, this.#pages[i] as number));
    const found = top.chunks.map((i) => ({ word: this.#wordAt(i), pages: this.#pages[i] as number }));
    return found.filter(({ word }) => word !== text);
  }

  /**
   * Returns words that have a prefix within one edit of the text. They begin with the first or the second letter of the
   * text.
   */
  similarCompletionsOf(typed: string, { mayBe = anyTerm }: Pick<Wanted, 'mayBe'> = {}): readonly SpelledWord[] {
    const text = cut(typed, MAX_BEGINNING_LENGTH);
    const wanted = letterBits(text);
    const starts = [text.charAt(0), text.charAt(1)];
    const near = (visit: Visit) => {
      if (text.length >= PIECE) this.#deletions.forEachNear(text, 1, visit);
      else for (const start of new Set(starts)) this.#forEachWithPrefix(start, visit);
    };
    return this.#found(near, (i) => {
      // One edit removes at most one of the letters.
      if (!hasAtMost(1, wanted & ~(this.#letters[i] as number)) || !mayBe(this.first + i)) return false;
      const word = this.#wordAt(i);
      return starts.includes(word.charAt(0)) && isOneEditFromPrefix(text, word);
    });
  }

  /** The terms of the words that begin with the text; `to` is exclusive. */
  termsWithPrefix(text: string): readonly [from: number, to: number] {
    const [from, to] = this.#range(text);
    return [this.first + from, this.first + to];
  }

  /** The words that begin with the text; `to` is exclusive. */
  #range(text: string): readonly [from: number, to: number] {
    const start = spelledTerm(text);
    const from = this.#lexicon.lowerBound(start);
    if (!this.#lexicon.termOf(from).startsWith(start)) return [0, 0];
    const end = text === '' ? AFTER_MARK : start + LAST_CHARACTER;
    return [from - this.first, this.#lexicon.lowerBound(end) - this.first];
  }

  /** Returns those of the visited words that live pages have and that pass the test. */
  #found(forEach: (visit: Visit) => void, passes: (index: number) => boolean): readonly SpelledWord[] {
    const found = new Set<number>();
    forEach((i) => {
      if ((this.#pages[i] as number) > 0 && !found.has(i) && passes(i)) found.add(i);
    });
    return Array.from(found, (i) => ({ word: this.#wordAt(i), pages: this.#pages[i] as number }));
  }

  #forEachWithPrefix(text: string, visit: Visit): void {
    const [from, to] = this.#range(text);
    for (let i = from; i < to; i++) visit(i);
  }

  #wordAt(index: number): string {
    return this.#lexicon.termOf(this.first + index).slice(MARK.length);
  }
}

const LAST_CHARACTER = '\uffff';

/** Returns a word's set of letters as bits. An edit removes at most one letter and adds at most one. */
export function letterBits(term: string): number {
  let bits = 0;
  for (let i = 0; i < term.length; i++) bits |= 1 << (term.charCodeAt(i) & 31);
  return bits >>> 0;
}

/** Returns whether at most `most` bits are set; `most` is 0, 1 or 2. */
function hasAtMost(most: number, bits: number): boolean {
  if (most === 0 || bits === 0) return bits === 0;
  const rest = bits & (bits - 1);
  return most === 1 || rest === 0 ? rest === 0 : (rest & (rest - 1)) === 0;
}
