import type { JobUrl } from '../../lambdas/core/crawl/frontier/frontier-rows.ts';
import { type CrawlJob, hasEnded } from '../../lambdas/core/crawl/job/job.ts';
import { OUTCOME_NAMES } from '../../lambdas/core/crawl/job/outcomes.ts';
import type { Item } from '../../lambdas/core/ports/table.ts';
import type { World } from './world.ts';

const HASH_CHARACTERS = 32;

/** A URL that a job met, with its hash. */
export type JobUrlRow = JobUrl & { readonly hash: string };

export const jobUrlRows = (jobId: string, { table }: World): readonly JobUrlRow[] =>
  table
    .under(`JOB#${jobId}`, 'URL#')
    .map((row) => ({ ...(row as unknown as JobUrl), hash: row.sk.slice('URL#'.length) }));

/** What must be true of a job and its URLs once all is quiet, however it ended. */
export function checkJob(job: CrawlJob, world: World): void {
  const wrong = (what: string) => world.report(`${job.jobId} (${job.status}, ${job.endReason}): ${what}`);
  if (!hasEnded(job)) wrong('has not ended');
  if (job.inFlight.length > 0) wrong('has URLs in flight after its end');
  const met = jobUrlRows(job.jobId, world);
  checkOneOutcomeEach(job, met, world, wrong);
  checkCounters(job, met, wrong);
  checkEnd(job, met, world, wrong);
}

function checkOneOutcomeEach(
  { jobId }: CrawlJob,
  met: readonly JobUrlRow[],
  { table }: World,
  wrong: (what: string) => void,
): void {
  const rows = (prefix: string) => table.under(`JOB#${jobId}`, prefix).map(({ sk }: Item) => sk);
  const found = new Map<string, string[]>();
  for (const sk of [...rows('QUEUED#'), ...rows('LATER#'), ...rows('OUTCOME#')]) {
    const hash = sk.slice(-HASH_CHARACTERS);
    found.set(hash, [...(found.get(hash) ?? []), sk]);
  }
  for (const { hash, url, depth, outcome, reason = '', notBefore, isLeaf } of met) {
    const standing = found.get(hash) ?? [];
    found.delete(hash);
    const start = isLeaf ? 'QUEUED#z#' : `QUEUED#${String(depth).padStart(3, '0')}#`;
    const queued = notBefore === undefined ? start : 'LATER#';
    const expected = outcome === undefined ? queued : `OUTCOME#${outcome}#${reason}#`;
    if (standing.length !== 1 || !standing[0]?.startsWith(expected))
      wrong(`${url} stands at ${standing}, not ${expected}`);
  }
  for (const sk of found.values()) wrong(`the row ${sk} belongs to no URL`);
}

function checkCounters(job: CrawlJob, met: readonly JobUrlRow[], wrong: (what: string) => void): void {
  const count = (is: (one: JobUrlRow) => boolean) => met.filter(is).length;
  const counted: readonly (readonly [string, number, number])[] = [
    ...OUTCOME_NAMES.map((name) => [name, job[name], count(({ outcome }) => outcome === name)] as const),
    ['discovered', job.discovered, met.length],
    ['answered', job.answered, count(({ status }) => status === 200 || status === 304)],
  ];
  for (const [name, counter, there] of counted)
    if (counter !== there) wrong(`counts ${counter} ${name}, where there are ${there}`);
}

/** A limit is one that was reached; a job that is done leaves nothing. A page that kills takes itself away and not its job. */
function checkEnd(
  job: CrawlJob,
  met: readonly JobUrlRow[],
  { faults, site }: World,
  wrong: (what: string) => void,
): void {
  const { endReason, answered, config } = job;
  const queued = met.filter(({ outcome }) => outcome === undefined);
  if (endReason === 'done' && queued.length > 0) wrong(`leaves ${queued.length} URLs queued`);
  if (endReason === 'limit' && answered < config.maxPages && job.fetches < 5 * config.maxPages)
    wrong(`ends at its limit with ${answered} of ${config.maxPages} pages`);
  if (answered > config.maxPages) wrong(`has ${answered} pages, where ${config.maxPages} are the limit`);
  const receivesInVain = faults.seemingDeaths + faults.failures;
  if (endReason === 'internal_error' && (receivesInVain === 0 || receivesInVain + faults.kills < 5))
    wrong('failed without five receives in vain, or by its own pages alone');
  for (const { url, reason } of met)
    if (reason === 'gave_up' && faults.seemingDeaths + faults.kills < 3) wrong(`gives up ${url} without three deaths`);
  const fetched = met.filter(
    ({ outcome, reason }) => outcome && reason !== 'robots' && reason !== 'too_deep' && reason !== 'gave_up',
  );
  for (const { url } of fetched)
    if (site.fetches(url) === 0) wrong(`gives an outcome to ${url}, which was never fetched`);
}
