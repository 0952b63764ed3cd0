import { describe, expect, it } from '@jest/globals';
import { simulate } from './simulate.ts';

/** How many schedules are run, or the seed of the one that is replayed. */
const { SCHEDULES = '2000', SEED } = process.env;
const IN_ONE_TEST = 250;
const TIMEOUT_MS = 300_000;

const seeds = SEED === undefined ? Array.from({ length: Number(SCHEDULES) }, (_, place) => place + 1) : [Number(SEED)];
const groups = Array.from({ length: Math.ceil(seeds.length / IN_ONE_TEST) }, (_, group) =>
  seeds.slice(group * IN_ONE_TEST, (group + 1) * IN_ONE_TEST),
);

/**
 * The crawl's core on simulated services that keep the promises of their ports and no more: calls that fail, hang or are done
 * unseen, workers that die or freeze, messages that come twice, cancels and deletes at any moment.
 * A failing seed is shown; `SEED=<it> npm test -- test/simulation` replays it with its events.
 */
describe('a crawl, whatever happens', () => {
  for (const group of groups) {
    it(`ends well with seeds ${group[0]} to ${group.at(-1)}`, () => expectAllWell(group), TIMEOUT_MS);
  }

  it('runs the same way when a seed is run again', async () => {
    expect(await events(7)).toEqual(await events(7));
  });
});

async function expectAllWell(group: readonly number[]): Promise<void> {
  const failing: string[] = [];
  for (const seed of group) {
    const lines: string[] = [];
    const violations = await simulate(seed, SEED === undefined ? undefined : (line) => lines.push(line));
    if (violations.length > 0) failing.push(...lines, ...violations.map((violation) => `seed ${seed}: ${violation}`));
  }
  expect(failing).toEqual([]);
}

async function events(seed: number): Promise<readonly string[]> {
  const lines: string[] = [];
  await simulate(seed, (line) => lines.push(line));
  return lines;
}
