import { Alarm, ComparisonOperator, type IMetric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { QueueDefinition, QueueName } from '../lambdas/messages.ts';
import type { Api } from './api.ts';
import { type Messaging, queueDefinitions } from './messaging.ts';
import type { SearchIndex } from './search-index.ts';
import type { Settings } from './settings.ts';
import type { Workers } from './workers.ts';

export type MonitoringProps = {
  readonly searchIndex: SearchIndex;
  readonly messaging: Messaging;
  readonly workers: Workers;
  readonly api: Api;
  readonly settings: Settings;
};

type AlarmRule = {
  readonly description: string;
  readonly metric: IMetric;
  /** Give one of the two: the alarm goes off above or below this value. */
  readonly above?: number;
  readonly below?: number;
  /** The number of periods in a row beyond the threshold. @default 1 */
  readonly periods?: number;
};

const FIVE_MINUTES = { period: Duration.minutes(5) };
const LONGEST_WAIT = Duration.hours(1);
const SERVER_ERROR_RATE = 0.01;
const MEGABYTES_PER_GIBIBYTE = 1024;
const LOWEST_FREE_SHARE = 0.2;
/** OpenSearch Service blocks writes at 92 % for half an hour. */
const MEMORY_PRESSURE_PERCENT = 92;

/** One alarm for each fault that needs a person. `docs/operations.md` says for each what it means and what to do. */
export class Monitoring extends Construct {
  readonly #mail: SnsAction | undefined;

  constructor(scope: Construct, id: string, { searchIndex, messaging, workers, api, settings }: MonitoringProps) {
    super(scope, id);
    this.#mail = settings.alarmMail === undefined ? undefined : this.#mailTo(settings.alarmMail);
    for (const [name, definition] of queueDefinitions) this.#watchQueue(name, definition, messaging, workers);
    this.#watchFunctions(workers, api);
    this.#watchDomain(searchIndex, settings);
  }

  #watchQueue(name: QueueName, definition: QueueDefinition, messaging: Messaging, workers: Workers): void {
    const { summary, deadLetters, worker } = definition;
    const queue = messaging.queue(name);
    if (worker !== undefined) {
      this.#addAlarm(`${name}-waits`, {
        description: `The oldest message of the queue ${name} has waited for more than an hour`,
        metric: queue.metricApproximateAgeOfOldestMessage(FIVE_MINUTES),
        above: LONGEST_WAIT.toSeconds(),
        periods: 3,
      });
    }
    if (deadLetters === undefined) {
      this.#addAlarm(`${name}-letters`, {
        description: summary,
        // A worker takes a message before the metric of visible messages counts it, so its invocations are counted.
        metric: worker
          ? workers.worker(worker).metricInvocations(FIVE_MINUTES)
          : queue.metricApproximateNumberOfMessagesVisible(FIVE_MINUTES),
        above: 0,
      });
    }
  }

  #watchFunctions(workers: Workers, api: Api): void {
    for (const [name, fn] of workers.functions) {
      this.#addAlarm(`${name}-fails`, {
        description: `The worker ${name} failed or timed out`,
        metric: fn.metricErrors(FIVE_MINUTES),
        above: 0,
        periods: 2,
      });
    }
    this.#addAlarm('api-fails', {
      description: 'More than one in a hundred requests is answered with a 5xx status',
      metric: api.gateway.metricServerError({ ...FIVE_MINUTES, statistic: Stats.AVERAGE }),
      above: SERVER_ERROR_RATE,
      periods: 2,
    });
  }

  #watchDomain({ domain }: SearchIndex, { search }: Settings): void {
    this.#addAlarm('index-red', {
      description: 'Part of the index is missing: searches fail',
      metric: domain.metricClusterStatusRed({ period: Duration.minutes(1) }),
      above: 0,
    });
    this.#addAlarm('index-refuses-writes', {
      description: 'The search domain refuses writes: crawls wait',
      metric: domain.metricClusterIndexWritesBlocked(FIVE_MINUTES),
      above: 0,
    });
    this.#addAlarm('index-full', {
      description: 'Less than a fifth of the disk of a search node is free',
      metric: domain.metricFreeStorageSpace(FIVE_MINUTES),
      below: search.gibibytesPerNode * MEGABYTES_PER_GIBIBYTE * LOWEST_FREE_SHARE,
    });
    this.#addAlarm('index-short-of-memory', {
      description: 'The search nodes have too little memory for their load',
      metric: domain.metricJVMMemoryPressure(FIVE_MINUTES),
      above: MEMORY_PRESSURE_PERCENT,
      periods: 3,
    });
  }

  #addAlarm(id: string, { description, metric, above, below, periods = 1 }: AlarmRule): void {
    const alarm = new Alarm(this, id, {
      alarmName: `${Stack.of(this).stackName}-${id}`,
      alarmDescription: `${description}. What to do: docs/operations.md`,
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
