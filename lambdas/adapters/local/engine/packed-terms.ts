import type { Term } from '../../../core/language/terms.ts';

type Placed = Pick<Term, 'term' | 'position'>;

/** Between the terms of one position; the tokenizer of FTS5 takes both for blanks, and no term has either. */
const BESIDE = '\u00a0';
const NEXT = ' ';

/** Terms with their positions as one string, whose words FTS5 indexes. Positions are numbered anew, from 0 on. */
export function packTerms(terms: readonly Placed[]): string {
  let packed = '';
  let before = -1;
  for (const { term, position } of terms) {
    packed += packed === '' ? term : (position === before ? BESIDE : NEXT) + term;
    before = position;
  }
  return packed;
}

const SLOTS = 4096;
const NEXT_CODE = NEXT.charCodeAt(0);
const BESIDE_CODE = BESIDE.charCodeAt(0);

/** Finds some terms in packed strings. It cuts out only what has the hash of one of them, and makes no strings of the rest. */
export class TermFinder {
  readonly #wanted: ReadonlySet<string>;
  readonly #slots = new Uint8Array(SLOTS);

  constructor(wanted: ReadonlySet<string>) {
    this.#wanted = wanted;
    for (const term of wanted) {
      let hash = 0;
      for (let i = 0; i < term.length; i++) hash = (hash * 31 + term.charCodeAt(i)) | 0;
      this.#slots[hash & (SLOTS - 1)] = 1;
    }
  }

  /** In the order in which they stand. */
  find(packed: string): readonly Placed[] {
    const found: Placed[] = [];
    let start = 0;
    let hash = 0;
    let position = 0;
    for (let i = 0; i <= packed.length; i++) {
      const code = i < packed.length ? packed.charCodeAt(i) : NEXT_CODE;
      if (code !== NEXT_CODE && code !== BESIDE_CODE) {
        hash = (hash * 31 + code) | 0;
        continue;
      }
      if (this.#slots[hash & (SLOTS - 1)] === 1) {
        const term = packed.slice(start, i);
        if (this.#wanted.has(term)) found.push({ term, position });
      }
      if (code === NEXT_CODE) position++;
      start = i + 1;
      hash = 0;
    }
    return found;
  }
}

/** Distinct words as a string in which each stands between blanks. */
export const wordList = (words: Iterable<string>): string => ` ${[...new Set(words)].join(' ')} `;
/** Tells of word lists whether they have one of some words. */
export function wordTest(words: readonly string[]): (list: string) => boolean {
  const sought = words.map((word) => ` ${word} `);
  return (list) => sought.some((word) => list.includes(word));
}
