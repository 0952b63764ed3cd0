import { checkCount } from '../../lambdas/domain/ports/rules/table-limits.ts';
import type { Count, Key } from '../../lambdas/domain/ports/table.ts';

/** The most counters in memory, which take about 20 MB. Beyond it the oldest counter is removed. */
const MAX_COUNTERS = 100_000;
/** The interval at which expired counters are removed. */
const FORGET_SECONDS = 10;

type Counter = { count: number; readonly expiresAt: number };

/** Keeps the counters of `Table` in the memory of the thread that serves HTTP. `now` is in epoch seconds. */
export function memoryCounters(now: () => number) {
  const counters = new Map<string, Counter>();
  let forgotAt = now();

  const forgetExpired = (): void => {
    if (now() < forgotAt + FORGET_SECONDS) return;
    forgotAt = now();
    for (const [name, { expiresAt }] of counters) if (expiresAt <= forgotAt) counters.delete(name);
  };

  return {
    count(key: Key, count: Count): number | undefined {
      checkCount(key, count);
      forgetExpired();
      const { by, atMost = Infinity, expiresAt } = count;
      const name = JSON.stringify([key.pk, key.sk]);
      const counter = counters.get(name) ?? { count: 0, expiresAt };
      if (by === 0) return counter.count;
      if (counter.count + by > atMost) return undefined;
      counter.count += by;
      counters.set(name, counter);
      const [oldest = name] = counters.keys();
      if (counters.size > MAX_COUNTERS) counters.delete(oldest);
      return counter.count;
    },
  };
}
