import { Alarm, ComparisonOperator, type IMetric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Api } from './api.ts';
import { type Messaging, queueDefinitions } from './messaging.ts';
import type { SearchIndex } from './search-index.ts';
import type { Settings } from './settings.ts';
import type { Crawling } from './workers.ts';

export type MonitoringProps = {
  readonly searchIndex: SearchIndex;
  readonly messaging: Messaging;
  readonly crawling: Crawling;
  readonly api: Api;
  readonly settings: Settings;
};

type Watched = {
  readonly means: string;
  readonly metric: IMetric;
  /** The alarm goes off when the metric is beyond the bound. */
  readonly above?: number;
  readonly below?: number;
  /** So many periods in a row. @default 1 */
  readonly periods?: number;
};

const FIVE_MINUTES = { period: Duration.minutes(5) };
const LONGEST_WAIT = Duration.hours(1);
const MEGABYTES_PER_GIBIBYTE = 1024;
const LEAST_FREE_SHARE = 0.2;

/** What a person should look at. What each alarm means and what to do then is in `docs/operations.md`. */
export class Monitoring extends Construct {
  readonly #mail: SnsAction | undefined;

  constructor(scope: Construct, id: string, { searchIndex, messaging, crawling, api, settings }: MonitoringProps) {
    super(scope, id);
    this.#mail = settings.alarmMail === undefined ? undefined : this.#mailTo(settings.alarmMail);
    this.#watchQueues(messaging, crawling);
    this.#watchFunctions(crawling, api);
    this.#watchDomain(searchIndex, settings);
  }

  #watchQueues(messaging: Messaging, crawling: Crawling): void {
    for (const [name, { summary, deadLetters, worker }] of queueDefinitions) {
      const queue = messaging.queue(name);
      if (worker !== 'none')
        this.#watch(`${name}-waits`, {
          means: `The oldest message of the queue ${name} waits for more than an hour`,
          metric: queue.metricApproximateAgeOfOldestMessage(FIVE_MINUTES),
          above: LONGEST_WAIT.toSeconds(),
          periods: 3,
        });
      if (deadLetters === undefined)
        this.#watch(`${name}-letters`, {
          means: summary,
          // Letters that a worker takes are gone before a look at their queue would show them.
          metric:
            worker === 'none'
              ? queue.metricApproximateNumberOfMessagesVisible(FIVE_MINUTES)
              : crawling.worker(worker).metricInvocations(FIVE_MINUTES),
          above: 0,
        });
    }
  }

  #watchFunctions(crawling: Crawling, api: Api): void {
    for (const [name, fn] of crawling.functions) {
      this.#watch(`${name}-fails`, {
        means: `The worker ${name} broke off or ran out of time`,
        metric: fn.metricErrors(FIVE_MINUTES),
        above: 0,
        periods: 2,
      });
    }
    this.#watch('api-fails', {
      means: 'More than one in a hundred requests is answered with 5xx',
      metric: api.gateway.metricServerError({ ...FIVE_MINUTES, statistic: Stats.AVERAGE }),
      above: 0.01,
      periods: 2,
    });
  }

  #watchDomain({ domain }: SearchIndex, { search }: Settings): void {
    this.#watch('index-red', {
      means: 'Part of the index is not there: searches fail',
      metric: domain.metricClusterStatusRed({ period: Duration.minutes(1) }),
      above: 0,
    });
    this.#watch('index-refuses-writes', {
      means: 'The domain takes no writes: crawls wait',
      metric: domain.metricClusterIndexWritesBlocked(FIVE_MINUTES),
      above: 0,
    });
    this.#watch('index-full', {
      means: 'Less than a fifth of a machine’s disk is free',
      metric: domain.metricFreeStorageSpace(FIVE_MINUTES),
      below: search.gibibytesPerNode * MEGABYTES_PER_GIBIBYTE * LEAST_FREE_SHARE,
    });
    this.#watch('index-short-of-memory', {
      means: 'The machines of the domain are too small for what they do',
      metric: domain.metricJVMMemoryPressure(FIVE_MINUTES),
      above: 92,
      periods: 3,
    });
  }

  #watch(id: string, { means, metric, above, below, periods = 1 }: Watched): void {
    const alarm = new Alarm(this, id, {
      alarmName: `${Stack.of(this).stackName}-${id}`,
      alarmDescription: `${means}. What to do: docs/operations.md`,
      metric,
      threshold: above ?? below ?? 0,
      comparisonOperator:
        above === undefined ? ComparisonOperator.LESS_THAN_THRESHOLD : ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: periods,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    if (this.#mail) alarm.addAlarmAction(this.#mail);
  }

  #mailTo(address: string): SnsAction {
    const topic = new Topic(this, 'Alarms', { enforceSSL: true });
    topic.addSubscription(new EmailSubscription(address));
    return new SnsAction(topic);
  }
}
