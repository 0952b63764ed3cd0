import type { Table } from '../../adapters/ports.ts';
import { urlHash } from '../web/url.ts';
import type { JobEnd } from './end-job.ts';
import { type MetUrl, metUrlKey } from './frontier.ts';
import { type CrawlJob, readJob } from './job.ts';
import { addressFailure } from './job-robots.ts';

/** A crawl that had no answer at all failed; its start page says why. */
export async function jobEnd(job: CrawlJob, endReason: 'done' | 'limit', table: Table): Promise<JobEnd> {
  const { answered = 0 } = (await readJob(job.jobId, table)) ?? {};
  if (answered > 0) return { status: 'completed', endReason };
  const start = await table.get<MetUrl>(metUrlKey(job.jobId, urlHash(job.baseUrl)));
  return unanswered(job.baseUrl, start);
}

function unanswered(baseUrl: string, start: MetUrl | undefined): JobEnd {
  const failed = (endReason: string, error: string): JobEnd => ({ status: 'failed', endReason, error });
  const { outcome, reason = 'unavailable', status, target } = start ?? {};
  if (reason === 'robots')
    return failed('robots', `robots.txt forbids ${baseUrl}: allow it for sitesearchbot, or turn respectRobotsTxt off.`);
  if (reason === 'redirect')
    return failed('redirect', `${baseUrl} redirects to ${target}: make that the base URL of a site.`);
  if (outcome === 'gone' || status !== undefined)
    return failed('http_status', `${baseUrl} answers ${status}: the base URL must answer 200.`);
  return addressFailure(reason, baseUrl);
}
