import { describe, expect, it } from '@jest/globals';
import { Limiter } from '../../../../lambdas/domain/sites/limits/limiter.ts';

describe('a rate limit whose counter fails', () => {
  it('admits the call, says that it is unknown, and reports the error', async () => {
    const reports: unknown[] = [];
    const failed = new Error('no table');
    const limiter = new Limiter({
      table: { count: () => Promise.reject(failed) },
      clock: () => 90_000,
      nameOf: async (counter) => counter,
      report: (_, error) => reports.push(error),
    });
    const standing = await limiter.take({ counter: 'a', perMinute: 5 });
    expect(standing).toEqual({ perMinute: 5, remaining: 5, resetsAt: 120_000, isUnknown: true });
    expect(reports).toEqual([failed]);
  });
});
