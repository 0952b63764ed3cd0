import type { CrawlJob } from '../../lambdas/domain/crawl/jobs/job.ts';
import { type ExpectedEnd, type ExpectedVisit, expectedVisits } from './expected-outcomes.ts';
import { type JobUrlRow, jobUrlRows } from './job-invariants.ts';
import type { Simulation } from './simulation.ts';
import { ORIGIN } from './site-plan.ts';

/** A job that ended with nothing left has the same outcome for every URL as a plain walk, whatever faults happened. */
export function checkOutcomes(job: CrawlJob, simulation: Simulation): void {
  const report = (what: string) => simulation.report(`${job.jobId}: ${what}`);
  const walk = { maxDepth: job.config.maxDepth, isSitemapFollowed: job.config.sitemaps === undefined };
  const visits = expectedVisits(simulation.site.planAt(simulation.guard.beganAt(job.jobId)), walk);
  const ends = new Map(Array.from(visits, ([url, { end }]) => [url, end]));
  const rows = jobUrlRows(job.jobId, simulation);
  if (rows.some(({ url, reason }) => reason === 'gave_up' && !isGivenUp(ends.get(url)))) return;
  for (const [text, count] of ownersOfTexts(rows, ends))
    if (count !== 1) report(`indexes ${count} pages with the text "${text}"`);
  if (isUnbroken(simulation)) {
    for (const { url, text, best } of worseOwners(rows, visits)) report(`${url} owns the text "${text}", not ${best}`);
    for (const { url, depth } of misplaced(rows, visits)) report(`has ${url} at depth ${depth}`);
  }
  checkEnds(rows, ends, report);
}

/** The job has exactly the URLs of a plain walk, with the same outcomes. */
function checkEnds(
  rows: readonly JobUrlRow[],
  ends: ReadonlyMap<string, ExpectedEnd>,
  report: (what: string) => void,
): void {
  const missing = new Map(ends);
  for (const row of rows) {
    const end = ends.get(row.url);
    missing.delete(row.url);
    if (!end) report(`has ${row.url}, to which nothing leads`);
    else if (!isAsExpected(row, end)) report(`${row.url} is ${row.outcome} ${row.reason}, not ${JSON.stringify(end)}`);
  }
  for (const url of missing.keys()) report(`has lost ${url}`);
}

/** After an apparent death, the URLs in flight are tried alone, in no order of depth. */
const isUnbroken = ({ faults }: Simulation): boolean => faults.seemingDeaths + faults.kills === 0;

/** URLs that do not have their least depth. */
const misplaced = (rows: readonly JobUrlRow[], visits: ReadonlyMap<string, ExpectedVisit>): readonly JobUrlRow[] =>
  rows.filter(({ url, depth }) => depth !== visits.get(url)?.depth);

/** Returns the number of indexed pages for each text. */
function ownersOfTexts(
  rows: readonly JobUrlRow[],
  expected: ReadonlyMap<string, ExpectedEnd>,
): ReadonlyMap<string, number> {
  const owners = new Map<string, Set<string>>();
  const failed = new Set(rows.flatMap(({ url, outcome }) => (outcome === 'failed' ? url : [])));
  for (const { url, outcome, target } of rows) {
    const end = expected.get(url);
    if (end?.outcome !== 'page') continue;
    const ofText = owners.get(end.text) ?? new Set();
    owners.set(end.text, ofText);
    if (outcome === 'indexed' || outcome === 'unchanged') ofText.add(url);
    // A page of an earlier crawl that fails stays indexed, and keeps its text.
    if (outcome === 'duplicate' && target !== undefined && failed.has(target)) ofText.add(target);
  }
  return new Map(Array.from(owners, ([text, urls]) => [text, urls.size]));
}

/** In every crawl, the indexed page of a text is the one that a person would choose. */
function worseOwners(rows: readonly JobUrlRow[], expected: ReadonlyMap<string, ExpectedVisit>) {
  const pages = rows.flatMap((row) => {
    const visit = expected.get(row.url);
    return visit?.end.outcome === 'page' ? [{ row, text: visit.end.text, isNamed: visit.isNamed }] : [];
  });
  const best = new Map(
    [...Map.groupBy(pages, ({ text }) => text)].map(([text, same]) => [text, same.toSorted(preferredFirst)[0]?.row]),
  );
  return pages.flatMap(({ row, text }) =>
    WITH_ENTRY.has(row.outcome ?? '') && best.get(text) !== row
      ? [{ url: row.url, text, best: best.get(text)?.url }]
      : [],
  );
}

const WITH_ENTRY: ReadonlySet<string> = new Set(['indexed', 'unchanged']);

type Rated = { readonly row: JobUrlRow; readonly isNamed: boolean };
const preferredFirst = (a: Rated, b: Rated): number =>
  Number(b.isNamed) - Number(a.isNamed) ||
  a.row.depth - b.row.depth ||
  a.row.url.length - b.row.url.length ||
  (a.row.url < b.row.url ? -1 : 1);

/** A URL during which enough workers died by chance is rightly given up, which changes other outcomes too. */
const isGivenUp = (end: ExpectedEnd | undefined): boolean => end?.outcome === 'failed' && end.reason === 'gave_up';

function isAsExpected({ outcome, reason, url, target }: JobUrlRow, end: ExpectedEnd): boolean {
  if (end.outcome === 'page') return outcome === 'indexed' || outcome === 'unchanged' || outcome === 'duplicate';
  if (end.mayLoop && outcome === 'failed' && reason === 'redirect_loop') return true;
  if (outcome !== end.outcome || reason !== end.reason) return false;
  return end.target === undefined || target === ORIGIN + end.target || url === target;
}
