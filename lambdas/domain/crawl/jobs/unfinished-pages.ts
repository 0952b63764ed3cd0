import { defined } from '../../../text/defined.ts';
import { urlHash } from '../../../text/web/url.ts';
import { everyItem } from '../../every-item.ts';
import { type RegisteredPage, readRows } from '../../pages/page-registry.ts';
import { pendingWritesOf } from '../../pages/pending-writes.ts';
import type { Change, Condition, Table } from '../../ports/table.ts';
import { type CrawlJob, jobKey } from './job.ts';
import { outcomeCounts } from './outcome-counts.ts';
import { asQueued, type Ending, finishChanges, type JobUrl, jobUrlKey, REOPENED } from './url-rows.ts';

/** Each URL takes two changes and the job one, within the 100 changes of a write. */
const URLS_PER_WRITE = 49;

type EndingJob = Pick<CrawlJob, 'jobId' | 'siteId' | 'generation'>;

/**
 * Gives outcomes to URLs whose pages the job has written, before the job ends. Its worker may have died or lost its
 * lease after it registered a page (`finishWrites` then indexes the page), or the URL was enqueued again but not
 * visited. The site has these pages, so the job counts them. Returns false if the condition on the job did not hold.
 */
export async function endUnfinished(job: EndingJob, when: Condition, table: Table): Promise<boolean> {
  const unfinished = [...(await registeredUrls(job, table)), ...(await reopenedUrls(job, table))];
  for (let from = 0; from < unfinished.length; from += URLS_PER_WRITE) {
    const own = await endUrls(job, unfinished.slice(from, from + URLS_PER_WRITE), when, table);
    if (!own) return false;
  }
  return true;
}

type UnfinishedUrl = { readonly url: JobUrl; readonly ending: Ending };

async function registeredUrls(job: EndingJob, table: Table): Promise<readonly UnfinishedUrl[]> {
  const found: UnfinishedUrl[] = [];
  for await (const { siteId, generation, jobId, pages } of pendingWritesOf(job.siteId, table)) {
    if (jobId !== job.jobId) continue;
    const identities = pages.map(({ url }) => ({ url, urlHash: urlHash(url) }));
    const rows = await readRows({ siteId, generation }, identities, table);
    const urls = await table.getMany<JobUrl>(identities.map((page) => jobUrlKey(jobId, page.urlHash)));
    for (const [index, { revision, keepsEntry }] of pages.entries()) {
      const url = urls[index];
      const row = rows.get(identities[index]?.urlHash ?? '');
      if (url && url.outcome === undefined && isRegistered(row, revision))
        found.push({ url, ending: { outcome: keepsEntry ? 'unchanged' : 'indexed', status: 200 } });
    }
  }
  return found;
}

async function reopenedUrls(job: EndingJob, table: Table): Promise<readonly UnfinishedUrl[]> {
  const found: UnfinishedUrl[] = [];
  for await (const { sk, outcome, status } of everyItem<Ending>(table, jobKey(job.jobId).pk, REOPENED)) {
    const url = await table.get<JobUrl>(jobUrlKey(job.jobId, sk.slice(REOPENED.length)));
    if (!url || url.outcome !== undefined) continue;
    const [row] = (await readRows(job, [{ url: url.url, urlHash: urlHash(url.url) }], table)).values();
    if (row?.lastJobId === job.jobId && !row.pending) found.push({ url, ending: { outcome, ...defined({ status }) } });
  }
  return found;
}

const isRegistered = (row: RegisteredPage | undefined, revision: number): boolean =>
  row?.revision === revision && row.pending === true && !row.removing;

/** Writes the outcomes. If one of the URLs was moved in the queue since, the write is repeated without it. */
async function endUrls(
  job: EndingJob,
  urls: readonly UnfinishedUrl[],
  when: Condition,
  table: Table,
): Promise<boolean> {
  if (urls.length === 0) return true;
  const { jobId } = job;
  const endings = urls.map(({ ending }) => ending);
  const add = { ...outcomeCounts(endings), answered: urls.length };
  const own: Change = { update: jobKey(jobId), add, when };
  const changes = urls.map(({ url, ending }) => finishChanges(jobId, asQueued(url), ending));
  const refused = new Set(await table.write([own, ...changes.flat()]));
  if (refused.size === 0) return true;
  if (refused.has(own)) return false;
  const left = urls.filter((_, index) => !changes[index]?.some((change) => refused.has(change)));
  return left.length === urls.length || endUrls(job, left, when, table);
}
