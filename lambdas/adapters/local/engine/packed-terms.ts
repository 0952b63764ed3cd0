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

/** The wanted terms of a packed string, in order. */
export function unpackTerms(packed: string, wanted: ReadonlySet<string>): readonly Placed[] {
  const found: Placed[] = [];
  for (const [position, word] of packed.split(NEXT).entries()) {
    if (wanted.has(word)) found.push({ term: word, position });
    else if (word.includes(BESIDE)) {
      for (const term of word.split(BESIDE)) if (wanted.has(term)) found.push({ term, position });
    }
  }
  return found;
}

/** Distinct words as a string in which each stands between blanks. */
export const wordList = (words: Iterable<string>): string => ` ${[...new Set(words)].join(' ')} `;
export const hasWord = (list: string, word: string): boolean => list.includes(` ${word} `);
