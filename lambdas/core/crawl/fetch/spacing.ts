import type { Robots } from '../../web/robots.ts';
import { ROBOTS_TOKEN } from '../../web/user-agent.ts';
import type { CrawlJob } from '../job/job.ts';

const LONGEST_CRAWL_DELAY_SECONDS = 30;

/** Milliseconds between two fetches: the longer of the owner's `delayMs` and the site's `Crawl-delay`. */
export function spacingOf({ config }: Pick<CrawlJob, 'config'>, robots: Robots | undefined): number {
  const crawlDelaySeconds = Math.min(robots?.crawlDelay(ROBOTS_TOKEN) ?? 0, LONGEST_CRAWL_DELAY_SECONDS);
  return Math.max(config.delayMs ?? 0, crawlDelaySeconds * 1000);
}
