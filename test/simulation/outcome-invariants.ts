import type { CrawlJob } from '../../lambdas/core/crawl/job/job.ts';
import { type ExpectedEnd, type ExpectedVisit, expectedVisits } from './expected-outcomes.ts';
import { type JobUrlRow, jobUrlRows } from './job-invariants.ts';
import { ORIGIN } from './site-plan.ts';
import type { World } from './world.ts';

/** A job that came to the end of its site has for every URL what a plain walk has, whatever happened on the way. */
export function checkOutcomes(job: CrawlJob, world: World): void {
  const wrong = (what: string) => world.report(`${job.jobId}: ${what}`);
  const walk = { maxDepth: job.config.maxDepth, isSitemapFollowed: job.config.sitemaps === undefined };
  const visits = expectedVisits(world.site.planAt(job.createdAt * 1000), walk);
  const ends = new Map(Array.from(visits, ([url, { end }]) => [url, end]));
  const rows = jobUrlRows(job.jobId, world);
  if (rows.some(({ url, reason }) => reason === 'gave_up' && !isGivenUp(ends.get(url)))) return;
  for (const [text, count] of ownersOfTexts(rows, ends))
    if (count !== 1) wrong(`holds ${count} pages with the text "${text}"`);
  if (isUnbroken(world)) {
    for (const { url, text, best } of isFirst(job, world) ? worseOwners(rows, ends) : [])
      wrong(`${url} stands for "${text}", not ${best}`);
    for (const { url, depth } of misplaced(rows, visits)) wrong(`meets ${url} at depth ${depth}`);
  }
  checkEnds(rows, ends, wrong);
}

/** Each URL that a plain walk meets is met, and no other, and each ends as it does there. */
function checkEnds(
  rows: readonly JobUrlRow[],
  ends: ReadonlyMap<string, ExpectedEnd>,
  wrong: (what: string) => void,
): void {
  const unmet = new Map(ends);
  for (const met of rows) {
    const end = ends.get(met.url);
    unmet.delete(met.url);
    if (!end) wrong(`has met ${met.url}, to which nothing leads`);
    else if (!isAsExpected(met, end)) wrong(`${met.url} is ${met.outcome} ${met.reason}, not ${JSON.stringify(end)}`);
  }
  for (const url of unmet.keys()) wrong(`has lost ${url}`);
}

/** After what looks like a death, what was in flight is tried alone, in no order. */
const isUnbroken = ({ faults }: World): boolean => faults.seemingDeaths + faults.kills === 0;

/** What was not met on the shortest way to it. */
const misplaced = (rows: readonly JobUrlRow[], visits: ReadonlyMap<string, ExpectedVisit>): readonly JobUrlRow[] =>
  rows.filter(({ url, depth }) => depth !== visits.get(url)?.depth);

/** How many pages are held for each text. */
function ownersOfTexts(
  rows: readonly JobUrlRow[],
  expected: ReadonlyMap<string, ExpectedEnd>,
): ReadonlyMap<string, number> {
  const owners = new Map<string, number>();
  for (const { url, outcome } of rows) {
    const end = expected.get(url);
    if (end?.outcome !== 'held') continue;
    const isOwner = outcome === 'indexed' || outcome === 'unchanged';
    owners.set(end.text, (owners.get(end.text) ?? 0) + (isOwner ? 1 : 0));
  }
  return owners;
}

/** Of a site that held nothing before, the shallowest page of each text is the one that is indexed, and of these the one with the smallest URL. */
function worseOwners(rows: readonly JobUrlRow[], expected: ReadonlyMap<string, ExpectedEnd>) {
  const best = new Map<string, JobUrlRow>();
  const held = rows.flatMap((met) => {
    const end = expected.get(met.url);
    return end?.outcome === 'held' ? [{ met, text: end.text }] : [];
  });
  for (const { met, text } of held) {
    const other = best.get(text);
    if (!other || met.depth < other.depth || (met.depth === other.depth && met.url < other.url)) best.set(text, met);
  }
  return held.flatMap(({ met, text }) =>
    met.outcome === 'indexed' && best.get(text) !== met ? [{ url: met.url, text, best: best.get(text)?.url }] : [],
  );
}

const isFirst = ({ jobId, createdAt }: CrawlJob, { table }: World): boolean =>
  table.partitions.every((pk) => {
    const other = pk.startsWith('JOB#') ? table.get({ pk, sk: 'JOB' }) : undefined;
    return !other || other.jobId === jobId || Number(other.createdAt) > createdAt;
  });

/** A page that died often enough by chance is rightly given up, and then others end in another way too. */
const isGivenUp = (end: ExpectedEnd | undefined): boolean => end?.outcome === 'failed' && end.reason === 'gave_up';

function isAsExpected({ outcome, reason, url, target }: JobUrlRow, end: ExpectedEnd): boolean {
  if (end.outcome === 'held') return outcome === 'indexed' || outcome === 'unchanged' || outcome === 'duplicate';
  if (end.mayLoop && outcome === 'failed' && reason === 'redirect_loop') return true;
  if (outcome !== end.outcome || reason !== end.reason) return false;
  return end.target === undefined || target === ORIGIN + end.target || url === target;
}
