import type { CrawlJob } from '../../lambdas/core/crawl/job.ts';
import { type ExpectedEnd, expectedEnds } from './expected-ends.ts';
import { type MetRow, metRows } from './job-invariants.ts';
import { ORIGIN } from './site-plan.ts';
import type { World } from './world.ts';

/** A job that came to the end of its site has for every URL what a plain walk has, whatever happened on the way. */
export function checkOutcomes(job: CrawlJob, world: World): void {
  const wrong = (what: string) => world.report(`${job.jobId}: ${what}`);
  const expected = new Map(expectedEnds(world.site.plan, job.config.maxDepth));
  const rows = metRows(job.jobId, world);
  if (rows.some(({ url, reason }) => reason === 'gave_up' && !isGivenUp(expected.get(url)))) return;
  const owners = ownersOfTexts(rows, expected);
  for (const [text, count] of owners) if (count !== 1) wrong(`holds ${count} pages with the text "${text}"`);
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

/** A page that died often enough by chance is rightly given up, and then others end in another way too. */
const isGivenUp = (end: ExpectedEnd | undefined): boolean => end?.outcome === 'failed' && end.reason === 'gave_up';

function isAsExpected({ outcome, reason, url, target }: MetRow, end: ExpectedEnd): boolean {
  if (end.outcome === 'held') return outcome === 'indexed' || outcome === 'unchanged' || outcome === 'duplicate';
  if (outcome !== end.outcome || reason !== end.reason) return false;
  return end.target === undefined || target === ORIGIN + end.target || url === target;
}
