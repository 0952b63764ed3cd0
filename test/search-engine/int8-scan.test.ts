import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { COMPILED, compileTo } from '../../bin/wasm.ts';
import { forEachBlock, Scanners } from '../../lambdas/search-engine/int8-scan.ts';
import { dotProduct, quantize } from '../../lambdas/search-engine/quantization.ts';
import { VectorWriter } from '../../lambdas/search-engine/vector-writer.ts';
import { toUnitLength } from '../../lambdas/text/words/normalize.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const exactProduct = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

/** Vectors of length 1, or all zeros. */
const vectors = (width: number) =>
  fc
    .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: width, maxLength: width })
    .map((row) => toUnitLength(Float32Array.from(row)));

/** Products with rows that are copied, and with rows that lie in a memory behind other bytes. */
function productsOf(query: Float32Array, rows: readonly Float32Array[]): readonly (readonly number[])[] {
  const writer = new VectorWriter();
  const block = { kind: 'model', start: 0, dimensions: query.length } as const;
  for (const [chunk, row] of rows.entries()) writer.add(chunk, { ...block, numbers: quantize(row) });
  const { vectors8, vectorScales } = writer.sections(rows.length);
  const own = scanners.withRoomFor(BEFORE + vectors8.length);
  const inPlace = new Int8Array(own.memory.buffer, BEFORE, vectors8.length);
  inPlace.set(vectors8);
  const copied = { rows: vectors8, start: 0, scanner: scanners.holding(vectors8) };
  return [copied, { rows: inPlace, start: BEFORE, scanner: own }].map((rows) => {
    const products: number[] = [];
    forEachBlock(quantize(query), rows, (ofBlock, first) => {
      expect(first).toBe(products.length);
      products.push(...ofBlock);
    });
    return products.map((product, row) => product * (vectorScales[row] ?? Number.NaN));
  });
}

const BEFORE = 48;
const scanners = new Scanners();

function expectApproximate(rows: readonly Float32Array[], query: Float32Array): void {
  const [copied, inPlace] = productsOf(query, rows);
  const exact = rows.map((row) => exactProduct(row, query));
  const worst = (found: Iterable<number> = []) =>
    Math.max(0, ...Array.from(found, (cosine, i) => Math.abs(cosine - (exact[i] ?? Number.NaN))));
  expect(inPlace).toEqual(copied);
  expect(inPlace).toHaveLength(rows.length);
  expect(worst(inPlace)).toBeLessThan(0.02);
  expect(worst(rows.map((row) => dotProduct(quantize(query), quantize(row), 0)))).toBeLessThan(0.0005);
}

describe('forEachBlock: products of 8 bits', () => {
  it('approximate the exact dot products, at any width', () => {
    const cases = fc
      .integer({ min: 1, max: 70 })
      .chain((width) => fc.tuple(fc.array(vectors(width), { maxLength: 20 }), vectors(width)));
    fc.assert(fc.property(cases, ([rows, query]) => expectApproximate(rows, query)));
  });

  const row = (seed: number, width: number) =>
    toUnitLength(Float32Array.from({ length: width }, (_, i) => Math.sin(seed * 7919 + i * 13 * seed)));

  for (const [width, count] of [
    [16, 5000],
    [128, 50],
    [256, 50],
    [384, 50],
    [1536, 20],
  ] as const) {
    it(`approximate them for ${count} rows of ${width} numbers`, () => {
      expectApproximate(
        Array.from({ length: count }, (_, n) => row(n, width)),
        row(-1, width),
      );
    });
  }
});

describe('dot-products.wasm', () => {
  it('is what its source compiles to (node bin/wasm.ts)', () => {
    const folder = temporaryFolder();
    compileTo(join(folder.path, 'compiled.wasm'));
    expect(readFileSync(COMPILED).equals(readFileSync(join(folder.path, 'compiled.wasm')))).toBe(true);
    folder.remove();
  });
});
