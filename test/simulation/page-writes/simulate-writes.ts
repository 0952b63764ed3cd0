import { UnavailableError } from '../../../lambdas/domain/errors.ts';
import { SeededRandom } from '../seeded-random.ts';
import { type Act, backfill, cleanUp, embed, finish, ingest, purge, refill, remove } from './actors.ts';
import { crawl } from './crawl-act.ts';
import { WriteWorld } from './write-world.ts';

const MAX_EVENTS = 50_000;
/** Longer than a call can be late. */
const QUIET_MS = 10_000;
const WATCHDOG_RUNS = 5;

/** Runs one seed to its end and answers the violated invariants. */
export async function simulateWrites(seed: number, trace?: (line: string) => void): Promise<readonly string[]> {
  const world = new WriteWorld(new SeededRandom(seed), trace);
  let isOver = false;
  const running = run(world).then(() => {
    isOver = true;
  });
  if (!(await world.scheduler.run(() => isOver, MAX_EVENTS))) return [...world.violations, 'it never ends'];
  await running;
  return world.violations;
}

async function run(world: WriteWorld): Promise<void> {
  const { random, faults } = world;
  // A crawl that loses its lease does not look back at what it has put: it relies on the index to remember removals.
  const crawlers = world.remembersRemovals ? [crawl, crawl] : [];
  // A clean-up sweeps texts while writers that have stored one are about to register its page.
  const cleaners = random.chance(0.5) ? [cleanUp, cleanUp] : [];
  const writers: readonly Act[] = [ingest, ingest, ...crawlers, remove, remove, refill, ...cleaners];
  faults.begin();
  await together(world, writers.slice(random.int(0, 3)));
  // No writer to the old index alone is left, so the backfill can start.
  world.isDual = true;
  const filling = backfill();
  const others = random.chance(0.2) ? [embed, purge] : [embed];
  const watchdogs = random.chance(0.5) ? [finish, finish] : [];
  await together(world, [...writers, ...others, ...watchdogs], filling);
  faults.end();
  await world.process('rest').sleep(QUIET_MS);
  await recover(world);
  world.watch.end();
}

/** Repeats each act a few times, concurrently; the backfill until it is done. */
function together(world: WriteWorld, acts: readonly Act[], filling?: ReturnType<typeof backfill>): Promise<unknown> {
  const { random } = world;
  return Promise.all([
    ...acts.map((act) => repeat(world, act, random.int(1, 3))),
    ...(filling ? [repeat(world, filling, Number.POSITIVE_INFINITY, () => filling.isDone)] : []),
  ]);
}

/** Repeats an act, in a new process after each death. */
function repeat(world: WriteWorld, act: Act, times: number, isDone = () => false): Promise<void> {
  return new Promise((resolve) => {
    let left = times;
    const start = async () => {
      const process = world.process(act.name, () => world.scheduler.in(world.random.int(1, 500), start));
      while (left > 0 && !isDone()) {
        await process.sleep(world.random.int(0, 150));
        left--;
        await attempt(() => act(world, process), world);
      }
      resolve();
    };
    void start();
  });
}

/** An act may fail because a service is unavailable, and for no other reason. */
async function attempt(act: () => Promise<void>, world: WriteWorld): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof UnavailableError)) world.report(`an act throws ${String(error)}`);
  }
}

/**
 * The watchdog and the clean-up alone, while nobody else writes. With a slow embedder one run may not have the time for
 * all.
 */
async function recover(world: WriteWorld): Promise<void> {
  const process = world.process('recovery');
  for (let run = 0; run < WATCHDOG_RUNS; run++) await finish(world, process);
  await cleanUp(world, process);
}
