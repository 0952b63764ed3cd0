import { withinEditDistance } from '../../../core/language/edit-distance.ts';
import { allowedEdits } from '../../../core/language/spelling.ts';
import { GrowableArray, uint32s } from './growable-array.ts';

/** An estimate for a term of nine letters: the string, its entries in map and list, and its two numbers. */
const BYTES_PER_TERM = 90;

/** The terms of a partition. Ids start at 0 and follow the order of adding; terms are never removed. */
export class Lexicon {
  readonly #ids = new Map<string, number>();
  readonly #terms: string[] = [];
  readonly #byLength: TermsOfLength[] = [];

  get size(): number {
    return this.#terms.length;
  }

  get bytes(): number {
    return this.size * BYTES_PER_TERM;
  }

  idOf(term: string): number | undefined {
    return this.#ids.get(term);
  }

  termOf(id: number): string {
    return this.#terms[id] ?? '';
  }

  add(term: string): number {
    return this.#ids.get(term) ?? this.appendNew(term);
  }

  appendNew(term: string): number {
    const id = this.#terms.length;
    this.#ids.set(term, id);
    this.#terms.push(term);
    this.#byLength[term.length] ??= { ids: new GrowableArray(uint32s), letters: new GrowableArray(uint32s) };
    this.#byLength[term.length]?.ids.push(id);
    this.#byLength[term.length]?.letters.push(letterBits(term));
    return id;
  }

  since(id: number): readonly string[] {
    return this.#terms.slice(id);
  }

  /** The ids of the other terms within the edit distance that the term's length allows. */
  similarTo(term: string): readonly number[] {
    const edits = allowedEdits(term);
    if (edits === 0) return [];
    const wanted = letterBits(term);
    const found: number[] = [];
    for (let length = term.length - edits; length <= term.length + edits; length++) {
      const { ids, letters } = this.#byLength[length] ?? NO_TERMS;
      for (let i = 0; i < ids.length; i++) {
        if (bitCount((letters.numbers[i] as number) ^ wanted) > 2 * edits) continue;
        const id = ids.numbers[i] as number;
        if (withinEditDistance(term, this.termOf(id), edits)) found.push(id);
      }
    }
    return found;
  }
}

/** `letters` are bit sets. An edit changes at most two bits, so most terms are rejected without comparing. */
type TermsOfLength = { readonly ids: GrowableArray<Uint32Array>; readonly letters: GrowableArray<Uint32Array> };
const NO_TERMS: TermsOfLength = { ids: new GrowableArray(uint32s), letters: new GrowableArray(uint32s) };

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
