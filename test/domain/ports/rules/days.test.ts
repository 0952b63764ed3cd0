import { describe, expect, it } from '@jest/globals';
import { daysOf, monthPeriod, periodOf } from '../../../../lambdas/domain/ports/rules/days.ts';

const clock = () => Date.parse('2026-03-01T23:59:59.999Z');

describe('a range of days', () => {
  it.each([
    ['1d', ['2026-03-01']],
    ['3d', ['2026-02-27', '2026-02-28', '2026-03-01']],
  ])('of %s ends today (UTC), oldest first', (range, days) => {
    expect(daysOf(periodOf(range, clock))).toEqual(days);
  });

  it('a range of days has as many days as its name says', () => {
    for (let days = 1; days <= 365; days++) expect(daysOf(periodOf(`${days}d`, clock))).toHaveLength(days);
  });
});

describe('a month', () => {
  it.each([
    ['2026-02', '2026-02-28'],
    ['2028-02', '2028-02-29'],
    ['2026-12', '2026-12-31'],
    ['2026-04', '2026-04-30'],
  ])('%s ends on %s', (month, to) => {
    expect(monthPeriod(month)).toEqual({ from: `${month}-01`, to });
  });
});
