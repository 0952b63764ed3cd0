import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { FilterPattern, SubscriptionFilter } from 'aws-cdk-lib/aws-logs';
import { LambdaDestination } from 'aws-cdk-lib/aws-logs-destinations';
import { Annotations, Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { QueueDefinition, QueueName } from '../lambdas/messages.ts';
import { CRAWL_QUEUES, concurrencyFault, LOWEST_MAX_CONCURRENCY } from './concurrency.ts';
import { type Messaging, queueDefinitions } from './messaging.ts';
import { feedsItself } from './recursive-queues.ts';
import { type Service, ServiceFunction } from './service-function.ts';
import type { Settings } from './settings.ts';

/**
 * The margin by which a worker times out before its message becomes visible again, so that no two process it at once.
 */
const TIMEOUT_MARGIN_SECONDS = 5;
/** Lambda gives a function one full vCPU at this size. */
const ONE_VCPU_MEGABYTES = 1769;

export type WorkersProps = { readonly messaging: Messaging; readonly service: Service };

/**
 * The functions that process the queues, the watchdog that runs every minute and resumes what is stuck, and two
 * functions for the events of visitors.
 * They are outside any VPC, because crawls fetch pages from the internet.
 */
export class Workers extends Construct {
  readonly functions: ReadonlyMap<string, ServiceFunction>;

  constructor(scope: Construct, id: string, { messaging, service }: WorkersProps) {
    super(scope, id);
    const functions = new Map<string, ServiceFunction>();
    for (const [name, queue] of queueDefinitions) {
      if (queue.worker !== undefined)
        functions.set(queue.worker, this.#makeWorker(queue.worker, name, queue, messaging, service));
    }
    this.#checkConcurrency(service);
    this.functions = functions
      .set('watchdog', this.#makeWatchdog(service))
      .set('collect-events', this.#makeCollector(service))
      .set('expire-events', this.#makeExpiry(service));
  }

  /** Checks the concurrency. Lambda runs one more function for each message that a queue may have in progress. */
  #checkConcurrency({ settings }: Service): void {
    const worked = queueDefinitions.filter(([, { worker }]) => worker !== undefined);
    const workers = worked.reduce((sum, [name]) => sum + maxConcurrency(name, settings), 0);
    const fault = concurrencyFault(workers, settings);
    if (fault?.level === 'error') throw new Error(fault.message);
    if (fault) Annotations.of(this).addWarningV2('site-search:concurrency', fault.message);
  }

  /** Sends the events in a function's log to `collect-events`. */
  collectEventsOf(fn: ServiceFunction): void {
    new SubscriptionFilter(fn, 'Events', {
      logGroup: fn.logGroup,
      filterPattern: FilterPattern.exists('$.event.id'),
      destination: new LambdaDestination(this.worker('collect-events')),
    });
  }

  worker(name: string): ServiceFunction {
    const fn = this.functions.get(name);
    if (!fn) throw new Error(`no queue has the worker ${name}`);
    return fn;
  }

  #makeWorker(
    worker: string,
    queueName: QueueName,
    { summary, visibilitySeconds, batch }: QueueDefinition,
    messaging: Messaging,
    service: Service,
  ): ServiceFunction {
    const { crawlContact } = service.settings;
    const crawls = CRAWL_QUEUES.includes(queueName);
    const fn = new ServiceFunction(this, worker, service, {
      entry: `workers/${worker}`,
      summary,
      timeout: Duration.seconds(visibilitySeconds - TIMEOUT_MARGIN_SECONDS - (batch?.windowSeconds ?? 0)),
      feedsItself: feedsItself(queueName),
      ...(crawls && { memoryMegabytes: ONE_VCPU_MEGABYTES }),
    });
    if (crawls && crawlContact !== undefined) fn.setVariables({ CRAWL_CONTACT: crawlContact });
    fn.addEventSource(
      new SqsEventSource(messaging.queue(queueName), {
        batchSize: batch?.size ?? 1,
        ...(batch && { maxBatchingWindow: Duration.seconds(batch.windowSeconds) }),
        reportBatchItemFailures: true,
        maxConcurrency: maxConcurrency(queueName, service.settings),
      }),
    );
    return fn;
  }

  #makeCollector(service: Service): ServiceFunction {
    return new ServiceFunction(this, 'collect-events', service, {
      entry: 'workers/collect-events',
      summary: 'Sends the events that functions have logged to their queue',
      timeout: Duration.seconds(30),
    });
  }

  #makeExpiry(service: Service): ServiceFunction {
    const expiry = new ServiceFunction(this, 'expire-events', service, {
      entry: 'workers/expire-events',
      summary: 'Rolls up the events of days that have ended, and removes what is older than it is kept',
      timeout: Duration.minutes(2),
    });
    new Rule(this, 'EveryDay', {
      schedule: Schedule.rate(Duration.days(1)),
      targets: [new LambdaFunction(expiry)],
    });
    return expiry;
  }

  #makeWatchdog(service: Service): ServiceFunction {
    const watchdog = new ServiceFunction(this, 'watchdog', service, {
      entry: 'workers/watchdog',
      summary: 'Restarts crawls and moves that lost their message or their worker, and finishes their writes',
      timeout: Duration.seconds(55),
    });
    new Rule(this, 'EveryMinute', {
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(watchdog, { retryAttempts: 0 })], // the next run, a minute later, is the retry
    });
    return watchdog;
  }
}

const maxConcurrency = (queue: QueueName, { crawlsAtOnce }: Settings): number =>
  CRAWL_QUEUES.includes(queue) ? crawlsAtOnce : LOWEST_MAX_CONCURRENCY;
