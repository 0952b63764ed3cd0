import { expect, it } from '@jest/globals';
import { memoryCounters } from '../../../local/sqlite/counters.ts';

it('a counter starts again some seconds after it has expired, and others continue', () => {
  let time = 1000;
  const counters = memoryCounters(() => time);
  const add = (sk: string, expiresAt: number) => counters.count({ pk: 'counter', sk }, { by: 1, expiresAt });
  expect([add('short', 1005), add('long', 1060), add('short', 1005)]).toEqual([1, 1, 2]);
  time = 1015;
  expect([add('short', 1030), add('long', 1060)]).toEqual([1, 2]);
});
