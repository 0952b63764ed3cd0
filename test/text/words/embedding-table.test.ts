import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EmbeddingTable } from '../../../lambdas/text/words/embedding-table.ts';

type Expected = {
  readonly table: { readonly sha256: string; readonly bytes: number };
  readonly cases: readonly {
    readonly text: string;
    readonly tokens: readonly number[];
    readonly vector: readonly number[];
  }[];
};
const file = (path: string): Buffer => readFileSync(new URL(`../../../${path}`, import.meta.url));
const expected = JSON.parse(file('test/fixtures/embedder-check.json').toString()) as Expected;
const bytes = file('embedder/english-256.sem');
const table = new EmbeddingTable(bytes);

/** A table of such tokens whose numbers are zeros. */
function tableOf(tokens: readonly string[]): EmbeddingTable {
  const vocabulary = Buffer.from(tokens.join('\n'));
  const header = { dims: 2, count: tokens.length, vocabBytes: vocabulary.length, bits: 8 };
  const start = Buffer.from(`SEM1....${JSON.stringify(header)}`);
  start.writeUInt32LE(start.length - 8, 4);
  return new EmbeddingTable(Buffer.concat([start, vocabulary, Buffer.alloc(6 * tokens.length)]));
}

const cosine = (a: string, b: string): number => {
  const other = table.embed(b);
  return table.embed(a).reduce((sum, x, d) => sum + x * (other[d] ?? 0), 0);
};

describe('EmbeddingTable', () => {
  it('is the file that the expected values were computed with', () => {
    expect(bytes).toHaveLength(expected.table.bytes);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(expected.table.sha256);
    expect(table.dimensions).toBe(256);
  });

  it.each(expected.cases)('has the tokens and numbers of the reference for "$text"', ({ text, tokens, vector }) => {
    expect(table.tokens(text)).toEqual(tokens);
    const embedded = table.embed(text);
    for (const [d, number] of vector.entries()) expect(embedded[d]).toBeCloseTo(number, 5);
    expect(Math.hypot(...embedded)).toBeCloseTo(tokens.length > 0 ? 1 : 0, 5);
  });

  it('splits words by longest match, symbols by themselves', () => {
    const tokens = ['un', '##believ', '##able', 'unbel', '##ievable', '-', ')', '##)'];
    const spelled = (text: string) =>
      tableOf(tokens)
        .tokens(text)
        .map((row) => tokens[row]);
    expect(spelled('Unbelievable)-un')).toEqual(['unbel', '##ievable', ')', '-', 'un']);
    expect(spelled('unbelief un')).toEqual(['un']);
  });

  it('lower-cases a sigma by the letter after it, past symbols', () => {
    const tokens = ['ας', 'ασ', 'α', '.', '(', '^'];
    const spelled = (text: string) =>
      tableOf(tokens)
        .tokens(text)
        .map((row) => tokens[row]);
    expect(spelled('ΑΣ.Α')).toEqual(['ασ', '.', 'α']);
    expect(spelled('ΑΣ^Α')).toEqual(['ασ', '^', 'α']);
    expect(spelled('ΑΣ(Α')).toEqual(['ας', '(', 'α']);
    expect(spelled('ΑΣ.')).toEqual(['ας', '.']);
  });

  it('has close vectors for similar texts', () => {
    expect(cosine('reset my password', 'forgotten login credentials')).toBeGreaterThan(
      cosine('reset my password', 'flights to lisbon') + 0.2,
    );
  });

  it('measures how English a text is', () => {
    expect(table.familiarity('The library is open on Sundays from nine to five.')).toBeGreaterThan(0.7);
    expect(table.familiarity('Die Bibliothek ist sonntags von neun bis fünf Uhr geöffnet.')).toBeLessThan(0.7);
    expect(table.familiarity('図書館は日曜日も開いています。')).toBeLessThan(0.7);
    expect(table.familiarity('12 + 34')).toBe(0);
  });

  it('returns a vector of unit length or zeros for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const length = Math.hypot(...table.embed(text));
        expect(Math.abs(length - (table.tokens(text).length > 0 ? 1 : 0))).toBeLessThan(1e-5);
      }),
    );
  });

  it('takes little time for 300,000 marks on one letter and for a megabyte without a blank', () => {
    expect(table.tokens(`a${'\u0301'.repeat(300_000)}`)).toEqual(table.tokens('a'));
    expect(table.tokens('a'.repeat(1_000_000))).toEqual([]);
  });

  it('refuses a damaged table', () => {
    expect(() => new EmbeddingTable(new Uint8Array(0))).toThrow('not an embedding table');
    expect(() => new EmbeddingTable(bytes.subarray(0, -1))).toThrow('its length does not match');
    const changed = Uint8Array.from(bytes);
    changed[4] = 0xff;
    expect(() => new EmbeddingTable(changed)).toThrow();
  });

  it('is read from a part of a larger buffer', () => {
    const larger = new Uint8Array(bytes.length + 3);
    larger.set(bytes, 3);
    expect(new EmbeddingTable(larger.subarray(3)).embed('search')).toEqual(table.embed('search'));
  });
});
