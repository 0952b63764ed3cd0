import { withinEditDistance } from '../../../core/language/edit-distance.ts';
import { allowedEdits } from '../../../core/language/spelling.ts';
import { Column, uint32s } from './growable-array.ts';

/** The terms of a space, numbered from 0 in the order in which they came. None is ever taken out. */
export class Lexicon {
  readonly #ids = new Map<string, number>();
  readonly #terms: string[] = [];
  /** By length. */
  readonly #similar: Similar[] = [];

  get size(): number {
    return this.#terms.length;
  }

  /** Rough. */
  get bytes(): number {
    return this.size * BYTES_A_TERM;
  }

  idOf(term: string): number | undefined {
    return this.#ids.get(term);
  }

  termOf(id: number): string {
    return this.#terms[id] ?? '';
  }

  /** The number of a term, a new one for a term that was not known. */
  add(term: string): number {
    return this.#ids.get(term) ?? this.append(term);
  }

  /** Gives a term the next number. */
  append(term: string): number {
    const id = this.#terms.length;
    this.#ids.set(term, id);
    this.#terms.push(term);
    this.#similar[term.length] ??= { ids: new Column(uint32s), letters: new Column(uint32s) };
    this.#similar[term.length]?.ids.push(id);
    this.#similar[term.length]?.letters.push(lettersOf(term));
    return id;
  }

  /** The terms from a number on. */
  since(id: number): readonly string[] {
    return this.#terms.slice(id);
  }

  /** The other words that differ from this one by a letter, or by two if it is long. */
  near(word: string): readonly number[] {
    const edits = allowedEdits(word);
    if (edits === 0) return [];
    const sought = lettersOf(word);
    const found: number[] = [];
    for (let length = word.length - edits; length <= word.length + edits; length++) {
      const { ids, letters } = this.#similar[length] ?? NONE;
      for (let i = 0; i < ids.length; i++) {
        if (bitCount((letters.numbers[i] as number) ^ sought) > 2 * edits) continue;
        const id = ids.numbers[i] as number;
        if (withinEditDistance(word, this.termOf(id), edits)) found.push(id);
      }
    }
    return found;
  }
}

/** Terms of one length, and which letters each has, a bit for each: those of two terms tell at once that they differ by much. */
type Similar = { readonly ids: Column<Uint32Array>; readonly letters: Column<Uint32Array> };
const NONE: Similar = { ids: new Column(uint32s), letters: new Column(uint32s) };

/** Of a term of nine letters: the string, its places in map and list, and the columns. */
const BYTES_A_TERM = 90;

function lettersOf(term: string): number {
  let letters = 0;
  for (let i = 0; i < term.length; i++) letters |= 1 << (term.charCodeAt(i) & 31);
  return letters;
}

function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
