import { PAGES_PER_COMMIT } from '../../lambdas/domain/crawl/commit/write-batch.ts';
import { type CrawlJob, hasEnded } from '../../lambdas/domain/crawl/jobs/job.ts';
import { outcomesView, reasonsOf } from '../../lambdas/domain/crawl/jobs/outcome-counts.ts';
import { OUTCOME_NAMES, OUTCOMES } from '../../lambdas/domain/crawl/jobs/outcomes.ts';
import { isUnlisted, type JobUrl } from '../../lambdas/domain/crawl/jobs/url-rows.ts';
import type { Item } from '../../lambdas/domain/ports/table.ts';
import type { Faults } from './faults.ts';
import type { Simulation } from './simulation.ts';

const HASH_CHARACTERS = 32;

export type JobUrlRow = JobUrl & { readonly hash: string };

export const jobUrlRows = (jobId: string, { table }: Simulation): readonly JobUrlRow[] =>
  table
    .under(`JOB#${jobId}`, 'URL#')
    .map((row) => ({ ...(row as unknown as JobUrl), hash: row.sk.slice('URL#'.length) }));

/** Invariants of a job and its URLs at the end of a run, however the job ended. */
export function checkJob(job: CrawlJob, simulation: Simulation): void {
  const report = (what: string) => simulation.report(`${job.jobId} (${job.status}, ${job.endReason}): ${what}`);
  if (!hasEnded(job)) report('has not ended');
  if (job.inFlight.length > 0) report('has URLs in flight after its end');
  const rows = jobUrlRows(job.jobId, simulation);
  checkOneOutcomeEach(job, rows, simulation, report);
  checkCounters(job, rows, report);
  checkEnd(job, rows, simulation, report);
}

function checkOneOutcomeEach(
  { jobId }: CrawlJob,
  rows: readonly JobUrlRow[],
  { table }: Simulation,
  report: (what: string) => void,
): void {
  const found = new Map<string, string[]>();
  for (const { sk } of table.under(`JOB#${jobId}`, 'OUTCOME#') as readonly Item[]) {
    const hash = sk.slice(-HASH_CHARACTERS);
    found.set(hash, [...(found.get(hash) ?? []), sk]);
  }
  for (const { hash, url, outcome, reason = '' } of rows) {
    const standing = found.get(hash) ?? [];
    found.delete(hash);
    const expected = outcome === undefined || isUnlisted(outcome) ? [] : [`OUTCOME#${outcome}#${reason}#${hash}`];
    if (standing.length !== expected.length || standing[0] !== expected[0])
      report(`${url} is at ${standing}, not ${expected}`);
  }
  for (const sk of found.values()) report(`the row ${sk} belongs to no URL`);
}

function checkCounters(job: CrawlJob, rows: readonly JobUrlRow[], report: (what: string) => void): void {
  const count = (is: (one: JobUrlRow) => boolean) => rows.filter(is).length;
  const counted: readonly (readonly [string, number, number])[] = [
    ...OUTCOME_NAMES.map((name) => [name, job[name], count(({ outcome }) => outcome === name)] as const),
    ...OUTCOME_NAMES.flatMap((name) =>
      OUTCOMES[name].map((reason) => {
        const there = count((row) => row.outcome === name && row.reason === reason);
        return [`${name} ${reason}`, reasonsOf(job, name)[reason] ?? 0, there] as const;
      }),
    ),
    ['discovered', job.discovered, rows.length],
    ['in the outcomes it shows', totalOf(outcomesView(job)), rows.length],
    ['answered', job.answered, count(({ status }) => status === 200 || status === 304)],
  ];
  for (const [name, counter, there] of counted)
    if (counter !== there) report(`counts ${counter} ${name}, but there are ${there}`);
}

/** Sums counts, some of which are one level deeper. */
const totalOf = (counts: object = {}): number =>
  Object.values(counts).reduce<number>((sum, count) => sum + (typeof count === 'number' ? count : totalOf(count)), 0);

/** Pages of a batch whose writer died are counted when the job ends, even beyond its limit. */
const mostUnsettled = ({ kills, seemingDeaths, failures }: Faults): number =>
  kills + seemingDeaths + failures > 0 ? PAGES_PER_COMMIT : 0;

/** A job that is done leaves no URL queued. A poison URL ends itself, not its job. */
function checkEnd(
  job: CrawlJob,
  rows: readonly JobUrlRow[],
  { faults, site }: Simulation,
  report: (what: string) => void,
): void {
  const { endReason, answered, config } = job;
  const queued = rows.filter(({ outcome }) => outcome === undefined);
  if (endReason === 'done' && queued.length > 0) report(`leaves ${queued.length} URLs queued`);
  if (endReason === 'limit' && answered < config.maxPages && job.fetches < 5 * config.maxPages)
    report(`ends at its limit with ${answered} of ${config.maxPages} pages`);
  if (answered > config.maxPages + mostUnsettled(faults))
    report(`has ${answered} pages, but the limit is ${config.maxPages}`);
  const receivesInVain = faults.seemingDeaths + faults.failures;
  if (endReason === 'internal_error' && (receivesInVain === 0 || receivesInVain + faults.kills < 5))
    report('failed without five failed receives, or only because of its own pages');
  for (const { url, reason } of rows)
    if (reason === 'gave_up' && faults.seemingDeaths + faults.kills < 3) report(`gives up ${url} without three deaths`);
  const fetched = rows.filter(
    ({ outcome, reason }) => outcome && reason !== 'robots' && reason !== 'too_deep' && reason !== 'gave_up',
  );
  for (const { url } of fetched)
    if (site.fetches(url) === 0) report(`gives an outcome to ${url}, which was never fetched`);
}
