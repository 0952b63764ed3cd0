import { type CrawlJob, MAX_FETCHES_PER_PAGE } from '../../lambdas/domain/crawl/jobs/job.ts';
import { endedUrls, outcomesView } from '../../lambdas/domain/crawl/jobs/outcome-counts.ts';

/* Texts about a crawl for the terminal: its start, its progress in one line, its end, and advice. */

const figure = (count: number): string => count.toLocaleString('en');
const counted = (count: number, what: string): string => `${figure(count)} ${what}${count === 1 ? '' : 's'}`;

export function startWords(site: string, { baseUrl, config }: CrawlJob): string {
  const limits = `at most ${counted(config.maxPages, 'page')}, ${counted(config.maxDepth, 'link')} deep`;
  return `Crawl of ${site} (${baseUrl}) started: ${limits}`;
}

/** Returns the progress line. `perSecond` is the current rate of pages. */
export function progressWords(site: string, job: CrawlJob, perSecond: number): string {
  const { answered, discovered, failed, config } = job;
  const toLimit = Math.max(0, config.maxPages - answered);
  return [
    `${site}: ${counted(answered, 'page')}`,
    `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)}/s`,
    `${figure(Math.max(0, discovered - endedUrls(job)))} queued`,
    `${figure(failed)} failed`,
    ...(perSecond > 0 ? [`${durationWords(toLimit / perSecond)} to the limit of ${figure(config.maxPages)}`] : []),
  ].join(' · ');
}

export function durationWords(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

export function endWords(site: string, job: CrawlJob): string {
  const { status, createdAt, completedAt = createdAt } = job;
  return `Crawl of ${site} ${status} after ${durationWords(completedAt - createdAt)}: ${outcomeWords(job)}`;
}

/** Returns the outcomes, such as `97 indexed, 8 skipped (6 excluded, 2 noindex), 1 failed (1 timeout)`. */
function outcomeWords(job: CrawlJob): string {
  const parts = Object.entries(outcomesView(job) ?? {}).flatMap(([outcome, counts]) => {
    if (typeof counts === 'number') return counts > 0 ? [`${figure(counts)} ${outcome}`] : [];
    const reasons = Object.entries(counts).toSorted(([, a], [, b]) => b - a);
    const sum = reasons.reduce((total, [, count]) => total + count, 0);
    const named = reasons.map(([reason, count]) => `${figure(count)} ${reason}`).join(', ');
    return sum > 0 ? [`${figure(sum)} ${outcome} (${named})`] : [];
  });
  return parts.join(', ') || 'no URL was visited';
}

/** Returns advice for the site's owner after the end of a crawl. */
export function adviceOf(job: CrawlJob): readonly string[] {
  const { status, endReason, error, config, answered, fetches } = job;
  const { over_limit: left = 0, too_deep: tooDeep = 0 } = outcomesView(job)?.skipped ?? {};
  const isByFetches = answered < config.maxPages && fetches >= config.maxPages * MAX_FETCHES_PER_PAGE;
  const limit = isByFetches ? `${figure(fetches)} requests` : counted(config.maxPages, 'page');
  return [
    ...(error === undefined ? [] : [error]),
    ...(status === 'completed' && endReason === 'limit' && error === undefined
      ? [`The limit of ${limit} was reached; ${counted(left, 'URL')} left out. Raise crawlerConfig.maxPages.`]
      : []),
    ...(tooDeep > 0
      ? [`${counted(tooDeep, 'URL')} deeper than ${counted(config.maxDepth, 'link')}. Raise crawlerConfig.maxDepth.`]
      : []),
  ];
}
