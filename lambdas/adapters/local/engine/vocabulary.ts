import { type IndexSpace, type IndexSpaces, vocabularyTable, wordsTable } from './index-space.ts';

/** Words shorter than this are as often others as misspelt. */
const SHORTEST = 5;
/** From here on a word may differ by two letters. */
const SHORTEST_FOR_TWO = 9;
const MOST_NEAR = 10;
const MOST_WORDS = 200_000;
const LETTERS = /^\p{L}+$/u;

type Remembered = { readonly version: number; readonly frequencies: Map<string, number>; words?: readonly Word[] };
type Word = { readonly term: string; readonly chunks: number };

/** What words a space has, and in how many chunks. Remembered until the space is written to. */
export class Vocabulary {
  readonly #spaces: IndexSpaces;
  readonly #remembered = new Map<number, Remembered>();

  constructor(spaces: IndexSpaces) {
    this.#spaces = spaces;
  }

  /** In how many chunks one of the forms is. */
  chunksWith(forms: readonly string[], space: IndexSpace): number {
    const { frequencies } = this.#of(space);
    const key = forms.join(' ');
    const known = frequencies.get(key);
    if (known !== undefined) return known;
    const chunks = forms.length === 1 ? this.#ofOne(forms[0] as string, space.id) : this.#ofAny(forms, space.id);
    if (frequencies.size < MOST_WORDS) frequencies.set(key, chunks);
    return chunks;
  }

  /** Words of the space that differ from this one by a letter, or by two if it is long; the most frequent ones. */
  near(word: string, space: IndexSpace): readonly string[] {
    if (word.length < SHORTEST || !LETTERS.test(word)) return [];
    const edits = word.length < SHORTEST_FOR_TWO ? 1 : 2;
    return this.#words(space)
      .filter(({ term }) => Math.abs(term.length - word.length) <= edits && withinEdits(word, term, edits))
      .slice(0, MOST_NEAR)
      .map(({ term }) => term);
  }

  #of({ id, version }: IndexSpace): Remembered {
    const remembered = this.#remembered.get(id);
    if (remembered?.version === version) return remembered;
    const fresh = { version, frequencies: new Map<string, number>() };
    this.#remembered.delete(id);
    this.#remembered.set(id, fresh);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > MOST_SPACES && oldest !== undefined) this.#remembered.delete(oldest);
    return fresh;
  }

  #words(space: IndexSpace): readonly Word[] {
    const remembered = this.#of(space);
    remembered.words ??= this.#spaces
      .statement(
        `SELECT term, doc AS chunks FROM ${vocabularyTable(space.id)} ORDER BY doc DESC, term LIMIT ${MOST_WORDS}`,
      )
      .all() as unknown as readonly Word[];
    return remembered.words;
  }

  #ofOne(form: string, space: number): number {
    const row = this.#spaces.statement(`SELECT doc FROM ${vocabularyTable(space)} WHERE term = ?`).get(form);
    return Number(row?.doc ?? 0);
  }

  #ofAny(forms: readonly string[], space: number): number {
    const table = wordsTable(space);
    const row = this.#spaces
      .statement(`SELECT count(*) AS chunks FROM ${table} WHERE ${table} MATCH ?`)
      .get(anyOfTerms(forms));
    return Number(row?.chunks ?? 0);
  }
}

const MOST_SPACES = 100;

/** An FTS5 expression: a chunk has one of the terms. */
export const anyOfTerms = (terms: readonly string[]): string =>
  terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ');

/** Whether two words differ by at most so many letters left out, put in, exchanged or swapped with the next. */
function withinEdits(a: string, b: string, most: number): boolean {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const edited = Math.min(
        (row[j] as number) + 1,
        (next[j - 1] as number) + 1,
        (row[j - 1] as number) + (same ? 0 : 1),
      );
      next.push(swapped ? Math.min(edited, (before[j - 2] as number) + 1) : edited);
    }
    if (Math.min(...next) > most) return false;
    [before, row] = [row, next];
  }
  return (row[b.length] as number) <= most;
}
