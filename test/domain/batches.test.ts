import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { batchesBySize } from '../../lambdas/domain/batches.ts';

const sizes = fc.array(fc.integer({ min: 0, max: 12 }));
const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
const batchesOf = (list: readonly number[], most?: number) =>
  batchesBySize(list, (size) => size, { size: 10, ...(most && { most }) });

it('keeps all elements in order', () => {
  fc.assert(fc.property(sizes, (list) => expect(batchesOf(list, 3).flat()).toEqual(list)));
});

it('a batch ends only when the next element does not fit', () => {
  fc.assert(
    fc.property(sizes, (list) => {
      const batches = batchesOf(list, 3);
      for (const [i, batch] of batches.entries()) {
        expect(batch.length === 1 || sumOf(batch) <= 10).toBe(true);
        const next = batches[i + 1]?.[0] ?? Infinity;
        expect(batch.length === 3 || sumOf(batch) + next > 10).toBe(true);
      }
    }),
  );
});

it('a batch has any number of elements by default, and an element that is too large is alone', () => {
  expect(batchesOf([0, 1, 1, 1, 1, 30, 6, 5, 0])).toEqual([[0, 1, 1, 1, 1], [30], [6], [5, 0]]);
  expect(batchesOf([])).toEqual([]);
});
