import { UnavailableError } from '../../../lambdas/core/errors.ts';
import { indexEntries } from '../../../lambdas/core/pages/index-entry.ts';
import { reserveRevisions, siteWriter } from '../../../lambdas/core/pages/page-writer.ts';
import { removePages } from '../../../lambdas/core/pages/remove-pages.ts';
import { writePages } from '../../../lambdas/core/pages/write-pages.ts';
import { SeededRandom } from '../seeded-random.ts';
import { type Act, backfill, cleanUp, embed, ingest, purge, remove } from './actors.ts';
import { crawl, resumeCrawl } from './crawl-act.ts';
import { draftOf } from './draft.ts';
import { WriteWorld } from './write-world.ts';

const MAX_EVENTS = 50_000;
/** Longer than a call can be late. */
const QUIET_MS = 10_000;

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
  const writers: readonly Act[] = [ingest, ingest, ...crawlers, remove, remove];
  faults.begin();
  await together(world, writers.slice(random.int(0, 3)));
  // No writer to the old index alone is left, so the backfill can start.
  world.isDual = true;
  const filling = backfill();
  const others = random.chance(0.2) ? [embed, purge, cleanUp] : [embed];
  await together(world, [...writers, ...others], filling);
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

/** As later writers do: each page with a pending row is written again or removed. */
async function recover(world: WriteWorld): Promise<void> {
  const process = world.process('recovery');
  const deps = world.depsOf(process);
  const { site } = world;
  await resumeCrawl(world, process);
  await cleanUp(world, process);
  for (const row of world.watch.rows().filter(({ pending }) => pending)) {
    if (world.random.chance(0.5)) {
      const reserve = (count: number) => reserveRevisions(site, count, deps.table);
      await removePages([row], { site, reserve, visible: 'now' }, deps);
      continue;
    }
    const makeEntries = async (pages: Parameters<typeof indexEntries>[0]) => ({
      entries: await indexEntries(pages, deps.embedder),
      unembedded: false,
    });
    const draft = draftOf(row, row, 'ingest', { title: `recovered ${world.nextVersion()}` });
    await writePages([draft], siteWriter(site, { makeEntries }, deps.table), deps);
  }
}
