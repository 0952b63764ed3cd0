import type { CrawlJob } from '../../lambdas/domain/crawl/jobs/job.ts';
import { aliasKey } from '../../lambdas/domain/pages/aliases.ts';
import type { RegisteredPage } from '../../lambdas/domain/pages/page-registry.ts';
import { urlHash } from '../../lambdas/text/web/url.ts';
import { type JobUrlRow, jobUrlRows } from './job-invariants.ts';
import type { Simulation } from './simulation.ts';

/**
 * After a complete crawl, the aliases of a page are the URLs that ended as its duplicates, or that failed and were
 * aliases before.
 */
export function checkAliases(
  pages: readonly RegisteredPage[],
  job: CrawlJob,
  site: { readonly siteId: string; readonly generation: number },
  simulation: Simulation,
): void {
  const rows = new Map(jobUrlRows(job.jobId, simulation).map((row) => [row.url, row]));
  const duplicates = [...rows.values()].filter(({ outcome }) => outcome === 'duplicate');
  const byOwner = Map.groupBy(duplicates, (row) => lastTarget(row, rows));
  for (const { url, aliases = { urls: [], count: 0 } } of pages) {
    const expected = (byOwner.get(url) ?? []).map((row) => row.url).sort();
    const failed = aliases.urls.filter((alias) => rows.get(alias)?.outcome === 'failed');
    const found = aliases.urls.filter((alias) => !failed.includes(alias)).sort();
    if (`${found}` !== `${expected}` || aliases.count !== expected.length + failed.length)
      simulation.report(`${url} has the aliases ${found}, not ${expected}`);
    const lost = found.filter((alias) => !simulation.table.get(aliasKey(site, urlHash(alias))));
    for (const alias of lost) simulation.report(`the alias ${alias} has no item`);
  }
  const urls = new Set(pages.map(({ url }) => url));
  for (const [owner, [first]] of byOwner)
    if (owner === undefined || !urls.has(owner)) simulation.report(`${first?.url} is a duplicate of ${owner}`);
}

/** The end of the chain of targets: a page that became a duplicate itself names the next one. */
function lastTarget({ target }: JobUrlRow, rows: ReadonlyMap<string, JobUrlRow>): string | undefined {
  let last = target;
  for (let row = rows.get(last ?? ''); row?.outcome === 'duplicate'; row = rows.get(last ?? '')) last = row.target;
  return last;
}
