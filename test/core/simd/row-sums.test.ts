import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RowSums } from '../../../lambdas/core/simd/row-sums.ts';

const table = fc.integer({ min: 1, max: 70 }).chain((width) =>
  fc.record({
    width: fc.constant(width),
    rows: fc.array(fc.int8Array({ minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
    named: fc.array(fc.tuple(fc.nat(), fc.float({ min: -100, max: 100, noNaN: true })), { maxLength: 20 }),
  }),
);

function summed(width: number, rows: readonly Int8Array[]): RowSums {
  const numbers = new Int8Array(rows.length * width);
  for (const [row, values] of rows.entries()) numbers.set(values, row * width);
  return new RowSums(width, numbers);
}

describe('RowSums', () => {
  it('adds up rows multiplied by their factors', () => {
    fc.assert(
      fc.property(table, ({ width, rows, named }) => {
        const factors = new Map(named.map(([row, factor]) => [row % rows.length, factor]));
        const sum = summed(width, rows).sum([...factors.keys()], (row) => factors.get(row) ?? 0);
        const expected = Array.from({ length: width }, (_, d) =>
          [...factors].reduce((total, [row, factor]) => total + factor * (rows[row]?.[d] ?? 0), 0),
        );
        expect(sum).toHaveLength(width);
        for (const [d, number] of expected.entries()) expect(Math.abs((sum[d] ?? NaN) - number)).toBeLessThan(0.02);
      }),
    );
  });

  it('adds up more rows than fit into its list, without effects on the next sum', () => {
    const sums = summed(3, [Int8Array.from([1, -2, 127])]);
    const rows = new Array<number>(5000).fill(0);
    expect([...sums.sum(rows, () => 0.5)]).toEqual([2500, -5000, 317_500]);
    expect([...sums.sum([0], () => 1)]).toEqual([1, -2, 127]);
    expect([...sums.sum([], () => 1)]).toEqual([0, 0, 0]);
  });
});
