import { setImmediate as immediately } from 'node:timers/promises';
import type { Clock } from '../../../lambdas/domain/clock.ts';

/** Callbacks of the event loop after which all that can run without time has run. */
const IDLE_TURNS = 20;

/** Time that passes only while everything waits: it jumps to the end of the shortest sleep. */
export function virtualTime(): { readonly clock: Clock; readonly sleep: (ms: number) => Promise<void> } {
  let now = Date.now();
  const sleeping: { readonly until: number; readonly wake: () => void }[] = [];
  const pass = async (): Promise<void> => {
    while (sleeping.length > 0) {
      for (let turn = 0; turn < IDLE_TURNS; turn++) await immediately();
      const next = sleeping.shift();
      now = Math.max(now, next?.until ?? 0);
      next?.wake();
    }
  };
  return {
    clock: () => now,
    sleep: (ms) =>
      new Promise((resolve) => {
        const isPassing = sleeping.length > 0;
        sleeping.push({ until: now + ms, wake: resolve });
        sleeping.sort((one, other) => one.until - other.until);
        if (!isPassing) void pass();
      }),
  };
}
