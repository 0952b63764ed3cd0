import * as z from 'zod';
import { toUnitLength } from './unit-vector.ts';

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
/** More marks on one letter would only make normalising slow: all are dropped after it. */
const MARK_RUNS = /(\p{Mn}{16})\p{Mn}+/gu;
const CJK = '\\u4e00-\\u9fff\\u3400-\\u4dbf\\uf900-\\ufaff\\u{20000}-\\u{2ebef}';
/** BERT takes every ASCII symbol for punctuation. */
const SYMBOL = '!-\\/:-@\\[-`{-~\\p{P}';
const WORDS = new RegExp(`[${CJK}${SYMBOL}]|[^\\s${CJK}${SYMBOL}]+`, 'gu');
const LONGEST_WORD = 100;
const CACHED_WORDS = 50_000;

/** A vector for each of many word pieces; a text's is their sum, scaled to length 1. The file is described in `embedder/README.md`. */
export class EmbeddingTable {
  readonly dimensions: number;
  readonly #rows: ReadonlyMap<string, number>;
  readonly #scales: Float32Array;
  readonly #values: Int8Array;
  readonly #cache = new Map<string, readonly number[]>();

  /** Throws if the bytes are not a whole table. */
  constructor(bytes: Uint8Array) {
    const text = (from: number, to: number): string => new TextDecoder().decode(bytes.subarray(from, to));
    if (text(0, 4) !== 'SEM1') throw new Error('not an embedding table');
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const vocabulary = 8 + view.getUint32(4, true);
    const { dims, count, vocabBytes, bits } = Header.parse(JSON.parse(text(8, vocabulary)));
    const scales = vocabulary + vocabBytes;
    const values = scales + 4 * count;
    if (bytes.length !== values + (count * dims * bits) / 8) throw new Error('an embedding table of another length');
    const tokens = text(vocabulary, scales).split('\n');
    if (tokens.length !== count) throw new Error('an embedding table with another vocabulary');
    this.dimensions = dims;
    this.#rows = new Map(tokens.map((token, row) => [token, row]));
    this.#scales = Float32Array.from({ length: count }, (_, row) => view.getFloat32(scales + 4 * row, true));
    const packed = new Int8Array(bytes.buffer, bytes.byteOffset + values, bytes.length - values);
    this.#values = bits === 4 ? unpacked(packed) : packed;
  }

  /** The rows of a text's tokens, in order. Words that the vocabulary cannot spell give none. */
  tokens(text: string): readonly number[] {
    return wordsOf(text).flatMap((word) => this.#pieces(word));
  }

  /** How much of a text's words are tokens of their own, 0 to 1: for English more than 0.8, for other languages about half. */
  familiarity(text: string): number {
    const letters = wordsOf(text).filter((word) => /\p{L}/u.test(word));
    return letters.length === 0 ? 0 : letters.filter((word) => this.#rows.has(word)).length / letters.length;
  }

  /** A vector of length 1, or all zeros for a text without a known token: no evidence, not a cosine of 0. */
  embed(text: string): Float32Array {
    const vector = new Float32Array(this.dimensions);
    for (const row of this.tokens(text)) {
      const scale = this.#scales[row] ?? 0;
      const from = row * this.dimensions;
      for (let d = 0; d < this.dimensions; d++) vector[d] = (vector[d] ?? 0) + scale * (this.#values[from + d] ?? 0);
    }
    return toUnitLength(vector);
  }

  #pieces(word: string): readonly number[] {
    const known = this.#cache.get(word);
    if (known) return known;
    const rows = word.length > LONGEST_WORD ? [] : this.#spelled(word);
    if (this.#cache.size >= CACHED_WORDS) this.#cache.clear();
    this.#cache.set(word, rows);
    return rows;
  }

  /** Longest match first; all pieces but the first are written with ##. */
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
    for (let to = word.length; to > from; to--) {
      const row = this.#rows.get((from > 0 ? '##' : '') + word.slice(from, to));
      if (row !== undefined) return { row, to };
    }
    return undefined;
  }
}

function wordsOf(text: string): readonly string[] {
  const plain = NOT_PLAIN.test(text)
    ? text.replace(DROPPED, '').replace(MARK_RUNS, '$1').normalize('NFD').replace(MARKS, '')
    : text;
  return plain.toLowerCase().match(WORDS) ?? [];
}

/** Two numbers of 4 bits from each byte, the low half first, each with its sign. */
function unpacked(packed: Int8Array): Int8Array {
  const values = new Int8Array(2 * packed.length);
  for (let i = 0; i < packed.length; i++) {
    const byte = packed[i] ?? 0;
    values[2 * i] = (byte << 28) >> 28;
    values[2 * i + 1] = byte >> 4;
  }
  return values;
}
