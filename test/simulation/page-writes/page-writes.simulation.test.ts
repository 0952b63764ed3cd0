import { describe, expect, it } from '@jest/globals';
import { simulateWrites } from './simulate-writes.ts';

/** Half as many schedules are run, or the seed of the one that is replayed. */
const { SCHEDULES = '100', SEED } = process.env;
const SEEDS = SEED === undefined ? Array.from({ length: Number(SCHEDULES) / 2 }, (_, n) => n + 1) : [Number(SEED)];
const TIMEOUT_MS = 120_000;

/**
 * Ingests, crawls, removals, refilled fields, a purge and a backfill of a few pages at once, on stores whose calls
 * fail, come late or are done unseen, in processes that die or freeze. `SEED=<it> npm test --
 * test/simulation/page-writes` replays a seed with its events.
 */
describe('pages that are written and removed at once', () => {
  it(
    `are in registry, texts and indices alike, with ${SEEDS.length} schedules of faults`,
    async () => {
      const failing: string[] = [];
      for (const seed of SEEDS) {
        const lines: string[] = [];
        const violations = await simulateWrites(seed, SEED === undefined ? undefined : (line) => lines.push(line));
        if (violations.length > 0)
          failing.push(...lines, ...violations.map((violation) => `seed ${seed}: ${violation}`));
      }
      expect(failing).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it('runs the same way when a seed is run again', async () => {
    const events = async (): Promise<readonly string[]> => {
      const lines: string[] = [];
      await simulateWrites(7, (line) => lines.push(line));
      return lines;
    };
    expect(await events()).toEqual(await events());
  });
});
