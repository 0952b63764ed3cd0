import { type CrawlJob, isSweep } from '../../lambdas/domain/crawl/jobs/job.ts';
import { PENDING_WRITES } from '../../lambdas/domain/pages/pending-writes.ts';
import { checkEvents } from './event-invariants.ts';
import { checkJob, jobUrlRows } from './job-invariants.ts';
import { checkOutcomes } from './outcome-invariants.ts';
import { checkReviews } from './review-invariants.ts';
import { planScenario } from './scenario.ts';
import { ScenarioDriver } from './scenario-driver.ts';
import { SeededRandom } from './seeded-random.ts';
import { Simulation } from './simulation.ts';
import { checkSite } from './site-invariants.ts';
import { planSite } from './site-plan.ts';
import { Workers } from './workers.ts';

const MAX_EVENTS = 300_000;

/** Runs one seed to its end and returns the violated invariants. */
export async function simulate(seed: number, trace?: (line: string) => void): Promise<readonly string[]> {
  const random = new SeededRandom(seed);
  const scenario = planScenario(random);
  const simulation = new Simulation(random, planSite(random, { simple: scenario.maxDepth < 100 }), trace);
  simulation.trace(JSON.stringify(scenario));
  const workers = new Workers(simulation, scenario.longestInvocationMs);
  const driver = new ScenarioDriver(simulation, scenario);
  const acting = driver.act(workers);
  const isQuiet = () =>
    driver.isDone &&
    simulation.queue.isEmpty &&
    workers.areIdle &&
    simulation.table.under('RUNNING').length === 0 &&
    simulation.table.under('DELETED').length === 0 &&
    simulation.table.under('OUTBOX').length === 0 &&
    simulation.table.under('DELIVERIES').length === 0 &&
    simulation.table.under(PENDING_WRITES).length === 0;
  if (!(await simulation.scheduler.run(isQuiet, MAX_EVENTS))) return [...simulation.violations, 'the run does not end'];
  await acting;
  for (const pk of simulation.table.partitions.filter((name) => name.startsWith('JOB#'))) {
    const job = simulation.table.get({ pk, sk: 'JOB' }) as unknown as CrawlJob | undefined;
    if (!job) continue;
    checkJob(job, simulation);
    if (!isSweep(job) && cameToItsEnd(job, simulation)) checkOutcomes(job, simulation);
  }
  checkSite(driver.siteId, simulation);
  checkReviews(driver.siteId, simulation);
  checkEvents(driver.siteId, simulation);
  return simulation.violations;
}

/** Tells whether a job visited all its URLs. A job that failed only because its start page has no answer did too. */
const cameToItsEnd = ({ jobId, status, endReason }: CrawlJob, simulation: Simulation): boolean =>
  endReason === 'done' ||
  (status === 'failed' &&
    endReason !== 'internal_error' &&
    endReason !== 'unavailable' &&
    jobUrlRows(jobId, simulation).every(({ outcome }) => outcome !== undefined));
