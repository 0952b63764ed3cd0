import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Int8Vectors } from '../../../lambdas/adapters/local/engine/int8-scan.ts';
import { dotProduct, quantize } from '../../../lambdas/adapters/local/engine/int16-quantization.ts';
import { toUnitLength } from '../../../lambdas/core/language/normalize.ts';

const exactProduct = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

/** Of length 1, or all zeros. */
const vectors = (width: number) =>
  fc
    .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: width, maxLength: width })
    .map((row) => toUnitLength(Float32Array.from(row)));

function expectApproximate(rows: readonly Float32Array[], query: Float32Array): void {
  const many = new Int8Vectors(query.length);
  for (const row of rows) many.add(quantize(row));
  const products = many.products(quantize(query));
  expect(products).toHaveLength(rows.length);
  const exact = rows.map((row) => exactProduct(row, query));
  const worst = (found: Iterable<number>) =>
    Math.max(0, ...Array.from(found, (cosine, i) => Math.abs(cosine - (exact[i] ?? Number.NaN))));
  expect(worst(products)).toBeLessThan(0.02);
  expect(worst(rows.map((row) => dotProduct(quantize(query), quantize(row), 0)))).toBeLessThan(0.0005);
}

describe('the products of Int8Vectors', () => {
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

  it('include rows that are added between two scans', () => {
    const many = new Int8Vectors(3);
    const products = (...query: readonly number[]) =>
      Array.from(many.products(quantize(Float32Array.from(query))), (found) => Math.round(found * 100) / 100);
    many.add(quantize(Float32Array.of(1, 0, 0)));
    expect(products(0.5, 0.7, 0.1)).toEqual([0.5]);
    many.add(quantize(Float32Array.of(0, 0, 1)));
    expect(products(0.5, 0.7, 0.1)).toEqual([0.5, 0.1]);
    expect(products(0.2, 0, 0.3)).toEqual([0.2, 0.3]);
  });

  it('are empty without rows', () => {
    expect(new Int8Vectors(256).products(new Int16Array(256))).toHaveLength(0);
  });
});
