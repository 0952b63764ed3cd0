import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Table } from '../../lambdas/domain/ports/table.ts';
import type { Limit } from '../../lambdas/domain/sites/limits/limit.ts';
import { Limiter, type RateLimitStatus } from '../../lambdas/domain/sites/limits/limiter.ts';

type Opened = { readonly table: Table; close(): Promise<void> };

/** The start of a minute, near enough that the counters have not expired. */
const MINUTE = Math.floor(Date.now() / 60_000) * 60_000;
const newLimit = (perMinute: number): Limit => ({ counter: randomUUID(), perMinute });
const isAdmitted = ({ refusedUntil }: RateLimitStatus): boolean => refusedUntil === undefined;

/** The promises of the rate limits, tested on a real table. */
export function limiterContract(name: string, open: () => Promise<Opened>): void {
  describe(`rate limits on ${name}`, () => {
    let opened: Opened;
    let counts = 0;
    let now = MINUTE;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());

    /** Creates a limiter with separate memory, like that of another process. */
    const newLimiter = (): Limiter => {
      const count: Table['count'] = (counter, by) => {
        counts += 1;
        return opened.table.count(counter, by);
      };
      const report = (message: string, error: unknown) => {
        throw new Error(message, { cause: error });
      };
      return new Limiter({ table: { count }, clock: () => now, report, nameOf: async (counter) => counter });
    };

    /** Calls at once, shared out among the limiters. Answers the number of admitted ones. */
    async function admitted(calls: number, limit: Limit, limiters: readonly Limiter[]): Promise<number> {
      const made = Array.from({ length: calls }, (_, n) => limiters[n % limiters.length]?.take(limit));
      return (await Promise.all(made)).filter((standing) => standing && isAdmitted(standing)).length;
    }

    it.each([1, 4])('a limit of 60 admits exactly 60 of 200 concurrent calls, in %i processes', async (processes) => {
      now = MINUTE + 20_000;
      const limiters = Array.from({ length: processes }, newLimiter);
      expect(await admitted(200, newLimit(60), limiters)).toBe(60);
    });

    it('a limit admits after a minute what the previous minute leaves of the last 60 seconds', async () => {
      const [limit, limiters] = [newLimit(60), [newLimiter(), newLimiter()]];
      now = MINUTE + 59_000;
      expect(await admitted(200, limit, limiters)).toBe(60);
      const later = [60_000, 61_000, 75_000, 90_000, 105_000, 119_999];
      const totals: number[] = [];
      for (const ms of later) {
        now = MINUTE + ms;
        totals.push((totals.at(-1) ?? 0) + (await admitted(200, limit, limiters)));
      }
      // A second gives back one call of 60. The first call of a minute is always admitted.
      expect(totals).toEqual([1, 1, 15, 30, 45, 59]);
      now = MINUTE + 180_000;
      expect(await admitted(200, limit, limiters)).toBe(60);
    });

    it('a burst over the end of a minute shares the limit between both minutes', async () => {
      const [limit, limiters] = [newLimit(60), [newLimiter(), newLimiter()]];
      now = MINUTE + 59_990;
      expect(await admitted(30, limit, limiters)).toBe(30);
      now = MINUTE + 60_010;
      expect(await admitted(200, limit, limiters)).toBe(30);
    });

    it('a limit reports how many calls are left, and when a refused one may be repeated', async () => {
      const [limit, limiter] = [newLimit(3), newLimiter()];
      now = MINUTE + 30_000;
      const standings: RateLimitStatus[] = [];
      for (let call = 0; call < 4; call++) standings.push(await limiter.take(limit));
      const common = { perMinute: 3, resetsAt: MINUTE + 60_000 };
      expect(standings).toEqual([
        { ...common, remaining: 2 },
        { ...common, remaining: 1 },
        { ...common, remaining: 0 },
        { ...common, remaining: 0, refusedUntil: MINUTE + 60_000 },
      ]);
      now = MINUTE + 60_000;
      expect(await limiter.take(limit)).toMatchObject({ remaining: 0, resetsAt: MINUTE + 120_000 });
      const { refusedUntil = 0 } = await limiter.take(limit);
      expect(refusedUntil).toBe(MINUTE + 100_000);
      now = refusedUntil - 1;
      expect(isAdmitted(await limiter.take(limit))).toBe(false);
      now = refusedUntil;
      expect(isAdmitted(await limiter.take(limit))).toBe(true);
    });

    it('a limit costs one write per call, one read a minute, and nothing for a call that is known to be refused', async () => {
      const [limit, limiter] = [newLimit(5), newLimiter()];
      now = MINUTE + 10_000;
      counts = 0;
      for (let call = 0; call < 5; call++) await limiter.take(limit);
      expect(counts).toBe(6);
      expect(limiter.isFull(limit)).toBe(true);
      for (let call = 0; call < 100; call++) await limiter.take(limit);
      expect(counts).toBe(6);
      const other = newLimiter();
      for (let call = 0; call < 100; call++) expect(isAdmitted(await other.take(limit))).toBe(false);
      expect(counts).toBe(8);
    });

    it('a very busy counter is written once for several calls, and never admits more than the limit', async () => {
      const [limit, limiters] = [newLimit(90_000), [newLimiter(), newLimiter()] as const];
      now = MINUTE + 10_000;
      const counter = { pk: `RATE#${limit.counter}`, sk: String(MINUTE / 60_000) };
      await opened.table.count(counter, { by: 89_000, expiresAt: now / 1000 + 120 });
      counts = 0;
      for (let call = 0; call < 300; call++) await limiters[0].take(limit);
      expect(counts).toBe(101);
      let made = 0;
      for (let call = 0; call < 1000; call++) made += await admitted(1, limit, [limiters[call % 2] as Limiter]);
      expect(made).toBe(700);
    });
  });
}
