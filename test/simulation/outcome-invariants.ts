import type { CrawlJob } from '../../lambdas/core/crawl/job.ts';
import { type ExpectedEnd, expectedEnds } from './expected-ends.ts';
import { type MetRow, metRows } from './job-invariants.ts';
import { ORIGIN } from './site-plan.ts';
import type { World } from './world.ts';

/** A job that came to the end of its site has for every URL what a plain walk has, whatever happened on the way. */
export function checkOutcomes(job: CrawlJob, world: World): void {
  const wrong = (what: string) => world.report(`${job.jobId}: ${what}`);
  const walk = { maxDepth: job.config.maxDepth, isSitemapFollowed: job.config.sitemaps === undefined };
  const expected = new Map(expectedEnds(world.site.planAt(job.createdAt * 1000), walk));
  const rows = metRows(job.jobId, world);
  if (rows.some(({ url, reason }) => reason === 'gave_up' && !isGivenUp(expected.get(url)))) return;
  const owners = ownersOfTexts(rows, expected);
  for (const [text, count] of owners) if (count !== 1) wrong(`holds ${count} pages with the text "${text}"`);
  if (isFirst(job, world) && world.faults.seemingDeaths + world.faults.kills === 0)
    for (const { url, text, best } of worseOwners(rows, expected)) wrong(`${url} stands for "${text}", not ${best}`);
  for (const met of rows) {
    const end = expected.get(met.url);
    expected.delete(met.url);
    if (!end) wrong(`has met ${met.url}, to which nothing leads`);
    else if (!isAsExpected(met, end)) wrong(`${met.url} is ${met.outcome} ${met.reason}, not ${JSON.stringify(end)}`);
  }
  for (const url of expected.keys()) wrong(`has lost ${url}`);
}

/** How many pages are held for each text. */
function ownersOfTexts(
  rows: readonly MetRow[],
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
function worseOwners(rows: readonly MetRow[], expected: ReadonlyMap<string, ExpectedEnd>) {
  const best = new Map<string, MetRow>();
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

function isAsExpected({ outcome, reason, url, target }: MetRow, end: ExpectedEnd): boolean {
  if (end.outcome === 'held') return outcome === 'indexed' || outcome === 'unchanged' || outcome === 'duplicate';
  if (end.mayLoop && outcome === 'failed' && reason === 'redirect_loop') return true;
  if (outcome !== end.outcome || reason !== end.reason) return false;
  return end.target === undefined || target === ORIGIN + end.target || url === target;
}
