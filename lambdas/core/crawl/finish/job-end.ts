import type { Table } from '../../ports/table.ts';
import { urlHash } from '../../web/url.ts';
import { addressFailure } from '../fetch/job-robots.ts';
import { type JobUrl, jobUrlKey } from '../frontier/frontier-rows.ts';
import { type CrawlJob, readJob } from '../job/job.ts';
import type { JobEnd } from './end-job.ts';

/** A crawl that had no answer at all failed; where its start page led says why. A list that was asked in vain did not fail unless it could not be read. */
export async function jobEnd(job: CrawlJob, stop: 'done' | 'limit' | 'refused', table: Table): Promise<JobEnd> {
  if (stop === 'refused')
    return failure(
      'unavailable',
      `${new URL(job.baseUrl).host} asks to be left alone for longer than a crawl waits (Retry-After). What was indexed stays; crawl again later.`,
    );
  const { answered = 0, gone = 0, failed = 0 } = (await readJob(job.jobId, table)) ?? {};
  const isListDone = job.listedBy !== undefined && (gone > 0 || failed === 0);
  if (answered > 0 || isListDone) return { status: 'completed', endReason: stop };
  if (job.listedBy !== undefined)
    return failure('unavailable', `None of the listed URLs could be read: GET /jobs/${job.jobId}/pages says why.`);
  return unanswered(job.baseUrl, await endOfRedirects(job, table));
}

const failure = (endReason: string, error: string): JobEnd => ({ status: 'failed', endReason, error });

function unanswered(baseUrl: string, last: JobUrl | undefined): JobEnd {
  const { url = baseUrl, outcome, reason = 'unavailable', status } = last ?? {};
  if (reason === 'robots')
    return failure('robots', `robots.txt forbids ${url}: allow it for sitesearchbot, or turn respectRobotsTxt off.`);
  if (reason === 'out_of_scope')
    return failure('redirect', `${baseUrl} redirects to ${url}: make that the base URL of a site.`);
  if (reason === 'redirect' || reason === 'redirect_loop') return addressFailure('redirect_loop', baseUrl);
  if (outcome === 'gone' || status !== undefined)
    return failure('http_status', `${url} answers ${status}: the base URL must answer 200.`);
  return addressFailure(reason, url);
}

/** The start page, or where it redirects to in the end; a page that redirects where one was before, in a circle. */
async function endOfRedirects({ jobId, baseUrl }: CrawlJob, table: Table): Promise<JobUrl | undefined> {
  const seen = new Set<string>();
  let last: JobUrl | undefined;
  for (let url: string | undefined = baseUrl; url !== undefined && !seen.has(url); url = last?.target) {
    seen.add(url);
    last = (await table.get<JobUrl>(jobUrlKey(jobId, urlHash(url)))) ?? last;
  }
  return last;
}
