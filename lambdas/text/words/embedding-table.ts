import * as z from 'zod';
import { toUnitLength } from './normalize.ts';
import { PieceCache } from './piece-cache.ts';

const Header = z.object({
  dims: z.int().min(2).max(4096),
  count: z.int().min(1).max(1_000_000),
  vocabBytes: z.int().min(1),
  bits: z.literal([4, 8]),
});

const NOT_PLAIN = /[^\t\n\r -~]/;
/** Control and format characters, the soft hyphen among them. */
const DROPPED = /(?![\t\n\r])[\p{C}\ufffd]/gu;
const MARKS = /\p{Mn}/gu;
/** Longer runs only slow down normalisation, which is followed by the removal of all marks. */
const MARK_RUNS = /(\p{Mn}{16})\p{Mn}+/gu;
const CJK = '\\u4e00-\\u9fff\\u3400-\\u4dbf\\uf900-\\ufaff\\u{20000}-\\u{2ebef}';
/** BERT treats every ASCII symbol as punctuation. */
const SYMBOL = '!-\\/:-@\\[-`{-~\\p{P}';
const WORDS = new RegExp(`[${CJK}${SYMBOL}]|[^\\s${CJK}${SYMBOL}]+`, 'gu');
const MAX_WORD_LENGTH = 100;

/**
 * ASCII white space and symbols end a piece. Exceptions are the symbols that affect the lower case of a Greek sigma,
 * which depends on the letters around it.
 */
const PIECES = /["#$%&()*+,\-/;<=>?@[\]\\_{|}~!]|[^\t\n\v\f\r "#$%&()*+,\-/;<=>?@[\]\\_{|}~!]+/g;

/** The vector of a text is the sum of its word pieces' vectors, of unit length (file format: `embedder/README.md`). */
type FourNumbers = [number, number, number, number];

export class EmbeddingTable {
  readonly dimensions: number;
  readonly #rows: ReadonlyMap<string, number>;
  readonly #longest: number;
  readonly #scales: Float32Array;
  /** Row by row, `dimensions` numbers each. */
  readonly #numbers: Int8Array;
  /** How often each row occurs in the current text; all zeros between calls. */
  readonly #counts: Uint32Array;
  readonly #rowsOf = new PieceCache((piece) => this.#rowsIn(piece));

  /** Throws if the bytes are not a complete embedding table. */
  constructor(bytes: Uint8Array) {
    const text = (from: number, to: number): string => new TextDecoder().decode(bytes.subarray(from, to));
    if (text(0, 4) !== 'SEM1') throw new Error('The file is not an embedding table: it does not begin with SEM1');
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const vocabulary = 8 + view.getUint32(4, true);
    const { dims, count, vocabBytes, bits } = Header.parse(JSON.parse(text(8, vocabulary)));
    const scales = vocabulary + vocabBytes;
    const values = scales + 4 * count;
    if (bytes.length !== values + (count * dims * bits) / 8)
      throw new Error('The embedding table is damaged: its length does not match its header');
    const tokens = text(vocabulary, scales).split('\n');
    if (tokens.length !== count)
      throw new Error('The embedding table is damaged: its vocabulary does not match its header');
    this.dimensions = dims;
    this.#rows = new Map(tokens.map((token, row) => [token, row]));
    this.#longest = tokens.reduce((longest, { length }) => Math.max(longest, length), 0);
    this.#scales = Float32Array.from({ length: count }, (_, row) => view.getFloat32(scales + 4 * row, true));
    this.#counts = new Uint32Array(count);
    const packed = new Int8Array(bytes.buffer, bytes.byteOffset + values, bytes.length - values);
    this.#numbers = bits === 4 ? unpacked(packed) : packed;
  }

  /** Returns the rows of a text's tokens, in order. Words that the vocabulary cannot spell have none. */
  tokens(text: string): readonly number[] {
    return this.#rowsOf.of(piecesOf(text)).flat();
  }

  /** Returns the share of words that are whole tokens: more than 0.8 for English, about half for other languages. */
  familiarity(text: string): number {
    const letters = wordsOf(text).filter((word) => /\p{L}/u.test(word));
    return letters.length === 0 ? 0 : letters.filter((word) => this.#rows.has(word)).length / letters.length;
  }

  /** Returns whether a lower-case word is a whole token. */
  has(word: string): boolean {
    return this.#rows.has(word);
  }

  /** Returns a vector of unit length, or all zeros for a text without a known token: no evidence, not a cosine of 0. */
  embed(text: string): Float32Array {
    const rows: number[] = [];
    const counts = this.#counts;
    for (const rowsOfPiece of this.#rowsOf.of(piecesOf(text)))
      for (const row of rowsOfPiece) {
        const count = counts[row] as number;
        if (count === 0) rows.push(row);
        counts[row] = count + 1;
      }
    const sum = this.#sumOf(rows);
    for (const row of rows) this.#counts[row] = 0;
    return toUnitLength(sum);
  }

  /** Returns the sum of the rows, weighted by their counts. Four rows at a time take half as long as one by one. */
  #sumOf(rows: readonly number[]): Float32Array {
    const numbers = this.#numbers;
    const sum = new Float32Array(this.dimensions);
    const starts = new Uint32Array(4);
    const factors = new Float64Array(4);
    for (let at = 0; at < rows.length; at += 4) {
      for (let i = 0; i < 4; i++) {
        const row = rows[at + i] ?? 0;
        starts[i] = row * this.dimensions;
        factors[i] = at + i < rows.length ? (this.#counts[row] as number) * (this.#scales[row] as number) : 0;
      }
      const [a, b, c, d] = starts as unknown as FourNumbers;
      const [fa, fb, fc, fd] = factors as unknown as FourNumbers;
      for (let i = 0; i < sum.length; i++)
        sum[i] =
          (sum[i] as number) +
          fa * (numbers[a + i] as number) +
          fb * (numbers[b + i] as number) +
          fc * (numbers[c + i] as number) +
          fd * (numbers[d + i] as number);
    }
    return sum;
  }

  #rowsIn(piece: string): readonly number[] {
    return wordsOf(piece).flatMap((word) => (word.length > MAX_WORD_LENGTH ? [] : this.#spelled(word)));
  }

  /** Splits a word into tokens, longest match first. Every token but the first begins with ##. */
  #spelled(word: string): readonly number[] {
    const rows: number[] = [];
    for (let from = 0; from < word.length; ) {
      const piece = this.#longestPiece(word, from);
      if (!piece) return [];
      rows.push(piece.row);
      from = piece.to;
    }
    return rows;
  }

  #longestPiece(word: string, from: number): { readonly row: number; readonly to: number } | undefined {
    const start = from > 0 ? '##' : '';
    for (let to = Math.min(word.length, from + this.#longest - start.length); to > from; to--) {
      const row = this.#rows.get(start + word.slice(from, to));
      if (row !== undefined) return { row, to };
    }
    return undefined;
  }
}

const piecesOf = (text: string): readonly string[] => text.match(PIECES) ?? [];
const wordsOf = (text: string): readonly string[] => plainLetters(text).match(WORDS) ?? [];

function plainLetters(text: string): string {
  if (!NOT_PLAIN.test(text)) return text.toLowerCase();
  return text.replace(DROPPED, '').replace(MARK_RUNS, '$1').normalize('NFD').replace(MARKS, '').toLowerCase();
}

/** Unpacks two signed 4-bit numbers from each byte, the low half first. */
function unpacked(packed: Int8Array): Int8Array {
  const values = new Int8Array(2 * packed.length);
  for (let i = 0; i < packed.length; i++) {
    const byte = packed[i] ?? 0;
    values[2 * i] = (byte << 28) >> 28;
    values[2 * i + 1] = byte >> 4;
  }
  return values;
}
