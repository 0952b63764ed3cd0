import { describe, expect, it } from '@jest/globals';
import { type Clock, isDue, steadyClock } from '../../lambdas/domain/clock.ts';

const DAY_MS = 86_400_000;

describe('a clock for one piece of work', () => {
  let wall = 1_800_000_000_000;
  let steady = 5.25;
  const system: Clock = Object.assign(() => wall, { steady: () => steady });

  it.each([-20_000, -3_600_000, -DAY_MS, DAY_MS])(
    'the clock of a piece of work continues when the system time is set by %d ms',
    (change) => {
      const start = wall;
      const clock = steadyClock(system);
      expect(clock()).toBe(start);
      wall += change;
      steady += 1500;
      expect(clock()).toBe(start + 1500);
      expect(steadyClock(system)()).toBe(wall);
    },
  );

  it('the clock of a piece of work is the given one if that is never set', () => {
    const clock = () => 7;
    expect(steadyClock(clock)).toBe(clock);
  });
});

describe('a stored moment', () => {
  it('a stored moment is due from then on', () => {
    expect([99, 100, 101].map((now) => isDue(100, now, 10))).toEqual([false, true, true]);
  });

  it('a stored moment is due if it is further in the future than it could have been set', () => {
    expect([91, 90, 89, -DAY_MS].map((now) => isDue(100, now, 10))).toEqual([false, false, true, true]);
  });
});
