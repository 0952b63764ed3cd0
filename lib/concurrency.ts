import type { QueueName } from '../lambdas/messages.ts';
import type { Settings } from './settings.ts';

/** The lowest maximum concurrency that Lambda accepts for an SQS event source. */
export const LOWEST_MAX_CONCURRENCY = 2;
/** Queues that may each have `crawlsAtOnce` slices in progress. */
export const CRAWL_QUEUES: readonly QueueName[] = ['crawl', 'render'];
/** The share of the account's quota that workers may use together, so that visitors are served. */
const SHARE_OF_WORKERS = 0.5;

export type ConcurrencyFault = { readonly level: 'warning' | 'error'; readonly message: string };

/**
 * Checks the concurrency against Lambda's quota of concurrent executions, which workers and visitors share. A new
 * account has 10, which the workers of the smallest stage can use up. That is a warning, since a trial works while few
 * queues are busy.
 */
export function concurrencyFault(
  workers: number,
  { concurrentExecutions, crawlsAtOnce }: Pick<Settings, 'concurrentExecutions' | 'crawlsAtOnce'>,
): ConcurrencyFault | undefined {
  const room = Math.floor(concurrentExecutions * SHARE_OF_WORKERS);
  if (workers <= room) return undefined;
  const others = workers - CRAWL_QUEUES.length * crawlsAtOnce;
  const most = Math.floor((room - others) / CRAWL_QUEUES.length);
  const quota = `the quota "Concurrent executions" of Lambda, ${concurrentExecutions} according to lib/settings.ts`;
  const many = `Workers may run ${workers} functions at once, more than half of ${quota}`;
  return most >= LOWEST_MAX_CONCURRENCY
    ? { level: 'error', message: `${many}. Set crawlsAtOnce to at most ${most}, or raise the quota.` }
    : {
        level: 'warning',
        message: `${many}. While many are busy, searches are refused: ask AWS for at least ${2 * workers} first.`,
      };
}
