import type { CrawlJob } from '../../lambdas/core/crawl/job/job.ts';
import { checkJob } from './job-invariants.ts';
import { checkOutcomes } from './outcome-invariants.ts';
import { planScenario } from './scenario.ts';
import { Owner } from './scenario-driver.ts';
import { SeededRandom } from './seeded-random.ts';
import { checkSite } from './site-invariants.ts';
import { planSite } from './site-plan.ts';
import { Workers } from './workers.ts';
import { World } from './world.ts';

const MOST_EVENTS = 300_000;

/** Runs one seed to its end and answers what was wrong; nothing, if all invariants held. */
export async function simulate(seed: number, trace?: (line: string) => void): Promise<readonly string[]> {
  const random = new SeededRandom(seed);
  const scenario = planScenario(random);
  const world = new World(random, planSite(random, { simple: scenario.maxDepth < 100 }), trace);
  world.trace(JSON.stringify(scenario));
  const workers = new Workers(world, scenario.longestInvocationMs);
  const owner = new Owner(world, scenario);
  const acting = owner.act(workers);
  const isQuiet = () =>
    owner.isDone &&
    world.queue.isEmpty &&
    workers.areIdle &&
    world.table.under('RUNNING').length === 0 &&
    world.table.under('DELETED').length === 0;
  if (!(await world.scheduler.run(isQuiet, MOST_EVENTS))) return [...world.violations, 'it never becomes quiet'];
  await acting;
  for (const pk of world.table.partitions.filter((name) => name.startsWith('JOB#'))) {
    const job = world.table.get({ pk, sk: 'JOB' }) as unknown as CrawlJob | undefined;
    if (!job) continue;
    checkJob(job, world);
    if (cameToItsEnd(job, world)) checkOutcomes(job, world);
  }
  checkSite(owner.siteId, world);
  return world.violations;
}

/** A job whose start page has no answer fails by rights, having seen what there is. */
const cameToItsEnd = ({ jobId, status, endReason }: CrawlJob, { table }: World): boolean =>
  endReason === 'done' ||
  (status === 'failed' &&
    endReason !== 'internal_error' &&
    ['QUEUED#', 'LATER#'].every((prefix) => table.under(`JOB#${jobId}`, prefix).length === 0));
