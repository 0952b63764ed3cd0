import { type IMetric, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import type { Api } from './api.ts';
import { type Messaging, queueDefinitions } from './messaging.ts';
import type { SearchIndex } from './search-index.ts';
import type { Settings } from './settings.ts';
import type { Storage } from './storage.ts';
import type { Workers } from './workers.ts';

export type AlarmRule = {
  /** `high` means that visitors notice or data waits, so a person should look now. `low` means within a day or two. */
  readonly severity: 'high' | 'low';
  readonly description: string;
  readonly metric: IMetric;
  /** The threshold: give one of the two. The alarm goes off above or below it. */
  readonly above?: number;
  readonly below?: number;
  /** The number of periods in a row beyond the threshold. @default 1 */
  readonly periods?: number;
  /** Whether missing data counts as beyond the threshold. @default false */
  readonly whenSilent?: boolean;
};

type AlarmRules = Readonly<Record<string, AlarmRule>>;

const FIVE_MINUTES = { period: Duration.minutes(5) };
const MAX_WAIT = Duration.hours(1);
const SERVER_ERROR_RATE = 0.01;
const DEGRADED_SHARE = 0.2;
const SLOW_SEARCH = Duration.seconds(2);
const MEGABYTES_PER_GIBIBYTE = 1024;
const LOWEST_FREE_SHARE = 0.2;
/** OpenSearch Service blocks writes at 92 % for half an hour. */
const MEMORY_PRESSURE_PERCENT = 92;
const BUSY_PERCENT = 80;

export function queueAlarms(messaging: Messaging, workers: Workers): AlarmRules {
  const rules = new Map<string, AlarmRule>();
  for (const [name, { summary, deadLetters, worker }] of queueDefinitions) {
    const queue = messaging.queue(name);
    if (worker !== undefined) {
      rules.set(`${name}-waits`, {
        severity: 'low',
        description: `The oldest message of the queue ${name} has waited for more than an hour`,
        metric: queue.metricApproximateAgeOfOldestMessage(FIVE_MINUTES),
        above: MAX_WAIT.toSeconds(),
        periods: 3,
      });
    }
    if (deadLetters === undefined) {
      rules.set(`${name}-letters`, {
        severity: 'low',
        description: summary,
        // A worker takes a message before the metric of visible messages counts it, so the alarm counts invocations.
        metric: worker
          ? workers.worker(worker).metricInvocations(FIVE_MINUTES)
          : queue.metricApproximateNumberOfMessagesVisible(FIVE_MINUTES),
        above: 0,
      });
    }
  }
  return Object.fromEntries(rules);
}

export function workerAlarms(workers: Workers): AlarmRules {
  const failures = [...workers.functions].map(([name, fn]): [string, AlarmRule] => [
    `${name}-fails`,
    {
      severity: 'low',
      description: `The worker ${name} failed or timed out`,
      metric: fn.metricErrors(FIVE_MINUTES),
      above: 0,
      periods: 2,
    },
  ]);
  return {
    ...Object.fromEntries(failures),
    'watchdog-silent': {
      severity: 'high',
      description: 'The watchdog has not run for ten minutes: crawls that lost their message are not resumed',
      metric: workers.worker('watchdog').metricInvocations(FIVE_MINUTES),
      below: 1,
      periods: 2,
      whenSilent: true,
    },
  };
}

/** Returns a metric of all functions of the account and region, which share one quota. */
export const lambdaMetric = (metricName: string): Metric =>
  new Metric({ namespace: 'AWS/Lambda', metricName, statistic: Stats.SUM, ...FIVE_MINUTES });

export const lambdaAlarms: AlarmRules = {
  'functions-throttled': {
    severity: 'high',
    description: 'Lambda refuses to run functions: more run at once than the quota of the account and region allows',
    metric: lambdaMetric('Throttles'),
    above: 0,
    periods: 3,
  },
  'loops-stopped': {
    severity: 'high',
    description: 'Lambda stopped a chain of messages as an endless loop',
    metric: lambdaMetric('RecursiveInvocationsDropped'),
    above: 0,
  },
};

export function apiAlarms({ gateway, functions }: Api, degraded: IMetric): AlarmRules {
  const search = functions.get('search-site');
  return {
    'api-fails': {
      severity: 'high',
      description: 'More than one in a hundred requests is answered with a 5xx status',
      metric: gateway.metricServerError({ ...FIVE_MINUTES, statistic: Stats.AVERAGE }),
      above: SERVER_ERROR_RATE,
      periods: 2,
    },
    ...(search && {
      'search-slow': {
        severity: 'low' as const,
        description: `One in twenty searches takes more than ${SLOW_SEARCH.toSeconds()} seconds`,
        metric: search.metricDuration({ ...FIVE_MINUTES, statistic: Stats.percentile(95) }),
        above: SLOW_SEARCH.toMilliseconds(),
        periods: 3,
      },
    }),
    'search-degraded': {
      severity: 'low',
      description:
        'More than a fifth of the searches is answered by words alone: the embedding provider is slow or away',
      metric: degraded,
      above: DEGRADED_SHARE,
      periods: 3,
    },
  };
}

export function domainAlarms({ domain }: SearchIndex, { search }: Settings): AlarmRules {
  return {
    'index-red': {
      severity: 'high',
      description: 'Part of the index is missing: searches fail',
      metric: domain.metricClusterStatusRed({ period: Duration.minutes(1) }),
      above: 0,
    },
    'index-yellow': {
      severity: 'low',
      description: 'Copies of the index have been missing for an hour: the loss of one more node may lose the index',
      metric: domain.metricClusterStatusYellow(FIVE_MINUTES),
      above: 0,
      periods: 12,
    },
    'index-lost-node': {
      severity: 'high',
      description: 'A search node is missing',
      metric: domain.metricNodes({ ...FIVE_MINUTES, statistic: Stats.MINIMUM }),
      below: search.nodes,
      periods: 3,
    },
    'index-refuses-writes': {
      severity: 'high',
      description: 'The search domain refuses writes: crawls wait',
      metric: domain.metricClusterIndexWritesBlocked(FIVE_MINUTES),
      above: 0,
    },
    'index-full': {
      severity: 'high',
      description: 'Less than a fifth of the disk of a search node is free',
      metric: domain.metricFreeStorageSpace(FIVE_MINUTES),
      below: search.gibibytesPerNode * MEGABYTES_PER_GIBIBYTE * LOWEST_FREE_SHARE,
    },
    'index-short-of-memory': {
      severity: 'low',
      description: 'The search nodes have too little memory for their load',
      metric: domain.metricJVMMemoryPressure(FIVE_MINUTES),
      above: MEMORY_PRESSURE_PERCENT,
      periods: 3,
    },
    'index-busy': {
      severity: 'low',
      description: 'The search nodes have too little CPU for their load',
      metric: domain.metricCPUUtilization(FIVE_MINUTES),
      above: BUSY_PERCENT,
      periods: 6,
    },
    'index-snapshot-fails': {
      severity: 'low',
      description: 'The hourly snapshot of the search domain failed',
      metric: domain.metricAutomatedSnapshotFailure(FIVE_MINUTES),
      above: 0,
      periods: 2,
    },
  };
}

export function tableAlarms(storage: Storage): AlarmRules {
  const throttled = (action: string, metricName: 'ReadThrottleEvents' | 'WriteThrottleEvents'): AlarmRule => ({
    severity: 'low',
    description: `The table has refused ${action} for a quarter of an hour: they are repeated, and become slow`,
    metric: storage.tableMetric(metricName),
    above: 0,
    periods: 3,
  });
  return {
    'table-throttles-reads': throttled('reads', 'ReadThrottleEvents'),
    'table-throttles-writes': throttled('writes', 'WriteThrottleEvents'),
    'table-fails': {
      severity: 'high',
      description: 'Requests to the table fail within DynamoDB',
      metric: storage.tableErrors(),
      above: 10,
      periods: 2,
    },
  };
}
