import { defined } from '../../../text/defined.ts';
import { urlHash } from '../../../text/web/url.ts';
import { sitemapsOf } from '../../crawl/fetch/sitemaps.ts';
import { type CrawlJob, hasEnded, jobKey } from '../../crawl/jobs/job.ts';
import { unvisitedReason } from '../../crawl/jobs/outcome-counts.ts';
import { type JobUrl, jobUrlKey } from '../../crawl/jobs/url-rows.ts';
import { everyItem } from '../../every-item.ts';
import type { Table } from '../../ports/table.ts';
import type { Findings } from './finding.ts';

/** A longer chain counts as a loop. */
const MAX_HOPS = 5;
/** Maximum number of chains that are followed. Each hop takes a read. */
const MAX_CHAINS = 2000;

const INDEXED: ReadonlySet<string | undefined> = new Set(['indexed', 'unchanged']);
const BROKEN: ReadonlySet<string | undefined> = new Set(['gone', 'failed']);

/** Reads each URL of a crawl once, at most `most` URLs. Returns their number. */
export async function findInUrls(job: CrawlJob, findings: Findings, most: number, table: Table): Promise<number> {
  const sitemaps = await sitemapsOf(job, table);
  let read = 0;
  let redirects: JobUrl[] = [];
  let chains = 0;
  const followAll = async () => {
    chains += redirects.length;
    await findChains(redirects, job, findings, table);
    redirects = [];
  };
  for await (const row of everyItem<JobUrl>(table, jobKey(job.jobId).pk, 'URL#')) {
    if (++read > most) break;
    const reason = reasonOf(row, job);
    const isInSitemap = row.foundOn !== undefined && sitemaps.has(row.foundOn);
    if (isInSitemap && !INDEXED.has(row.outcome)) findings.add('sitemap_not_indexed', { url: row.url, reason });
    else if (BROKEN.has(row.outcome) && row.foundOn !== undefined)
      findings.add('broken_link', { url: row.url, reason, foundOn: row.foundOn });
    if (row.reason === 'redirect' && chains + redirects.length < MAX_CHAINS) redirects.push(row);
    if (redirects.length >= 100) await followAll();
  }
  await followAll();
  return Math.min(read, most);
}

function reasonOf({ outcome, reason, status }: JobUrl, job: CrawlJob): string {
  if (outcome === undefined) return hasEnded(job) ? unvisitedReason(job) : 'queued';
  return reason === 'http_status' ? `http_status ${status}` : (reason ?? outcome);
}

/** Finds redirects whose target also redirects. */
async function findChains(
  rows: readonly JobUrl[],
  { jobId }: CrawlJob,
  findings: Findings,
  table: Table,
): Promise<void> {
  let chains = rows.map((row) => ({ row, leadsTo: row.target === undefined ? [] : [row.target] }));
  for (let hop = 1; hop < MAX_HOPS && chains.length > 0; hop++) {
    const lasts = chains.map(({ leadsTo }) => leadsTo.at(-1) ?? '');
    const targets = await table.getMany<JobUrl>(lasts.map((url) => jobUrlKey(jobId, urlHash(url))));
    const longer = chains.flatMap(({ row, leadsTo }, index) => {
      const { reason, target } = targets[index] ?? {};
      if (reason === 'redirect' && target !== undefined && !leadsTo.includes(target))
        return [{ row, leadsTo: [...leadsTo, target] }];
      if (leadsTo.length > 1) findings.add('redirect_chain', chainOf(row, leadsTo));
      return [];
    });
    chains = longer;
  }
  for (const { row, leadsTo } of chains) findings.add('redirect_chain', chainOf(row, leadsTo));
}

const chainOf = ({ url, foundOn }: JobUrl, leadsTo: readonly string[]) => ({
  url,
  leadsTo,
  ...defined({ foundOn }),
});
