import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DotProducts } from '../../../lambdas/adapters/local/engine/dot-products.ts';

const plain = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, place) => sum + x * (b[place] ?? 0), 0);

const numbers = (width: number) =>
  fc
    .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: width, maxLength: width })
    .map((row) => Float32Array.from(row));

function expectSame(rows: readonly Float32Array[], query: Float32Array): void {
  const many = new DotProducts(query.length);
  for (const row of rows) many.add(row);
  const products = many.products(query);
  expect(products).toHaveLength(rows.length);
  rows.forEach((row, place) => {
    // Sums of 32-bit numbers, in another order: the rounding grows with the width.
    expect(Math.abs((products[place] ?? Number.NaN) - plain(row, query))).toBeLessThan(1e-6 * (1 + query.length));
  });
}

describe('DotProducts', () => {
  it('are those of plain JavaScript, at any width', () => {
    const cases = fc
      .integer({ min: 1, max: 70 })
      .chain((width) => fc.tuple(fc.array(numbers(width), { maxLength: 20 }), numbers(width)));
    fc.assert(fc.property(cases, ([rows, query]) => expectSame(rows, query)));
  });

  for (const width of [128, 256, 384, 1536]) {
    it(`are the same at ${width} numbers and more rows than are taken at once`, () => {
      const row = (seed: number) =>
        Float32Array.from({ length: width }, (_, place) => Math.sin(seed * 7919 + place * 13));
      const count = width === 128 ? 9000 : 100;
      expectSame(
        Array.from({ length: count }, (_, n) => row(n)),
        row(-1),
      );
    });
  }

  it('tell rows apart that are added between', () => {
    const many = new DotProducts(3);
    many.add(Float32Array.of(1, 0, 0));
    expect([...many.products(Float32Array.of(5, 7, 11))]).toEqual([5]);
    many.add(Float32Array.of(0, 0, 1));
    expect([...many.products(Float32Array.of(5, 7, 11))]).toEqual([5, 11]);
    expect([...many.products(Float32Array.of(2, 0, 3))]).toEqual([2, 3]);
  });

  it('are none of no rows', () => {
    expect(new DotProducts(256).products(new Float32Array(256))).toHaveLength(0);
  });
});
