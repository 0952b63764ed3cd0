import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { QueueDefinition, QueueName } from '../lambdas/messages.ts';
import { type Messaging, queueDefinitions } from './messaging.ts';
import { type Service, ServiceFunction } from './service-function.ts';

/** A worker ends before its message is delivered again. */
const MARGIN_SECONDS = 5;
/** The fewest at once that an event source may be held to. */
const FEWEST_AT_ONCE = 2;

export type CrawlingProps = { readonly messaging: Messaging; readonly service: Service };

/** What works the queues, and what looks every minute whether something got stuck. All of it stands outside any VPC: it fetches the web. */
export class Crawling extends Construct {
  readonly functions: ReadonlyMap<string, ServiceFunction>;

  constructor(scope: Construct, id: string, { messaging, service }: CrawlingProps) {
    super(scope, id);
    const worked = queueDefinitions.filter(([, { worker }]) => worker !== 'none');
    const functions = worked.map(
      ([name, queue]) => [queue.worker, this.#makeWorker(name, queue, messaging, service)] as const,
    );
    const watchdog = new ServiceFunction(this, 'watchdog', service, {
      entry: 'workers/watchdog',
      summary: 'Sets going again what lost its message or its worker',
      timeout: Duration.seconds(55),
    });
    new Rule(this, 'EveryMinute', {
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(watchdog, { retryAttempts: 0 })], // the next minute is the retry
    });
    this.functions = new Map([...functions, ['watchdog', watchdog]]);
  }

  worker(name: string): ServiceFunction {
    const fn = this.functions.get(name);
    if (!fn) throw new Error(`no queue has the worker ${name}`);
    return fn;
  }

  #makeWorker(name: QueueName, definition: QueueDefinition, messaging: Messaging, service: Service): ServiceFunction {
    const { worker, summary, visibilitySeconds } = definition;
    const { crawlsAtOnce, crawlContact } = service.settings;
    const crawls = name === 'crawl';
    const fn = new ServiceFunction(this, worker, service, {
      entry: `workers/${worker}`,
      summary,
      timeout: Duration.seconds(visibilitySeconds - MARGIN_SECONDS),
      ...(crawls && { memoryMegabytes: 1769 }), // one whole processor
    });
    if (crawls && crawlContact !== undefined) fn.setVariables({ CRAWL_CONTACT: crawlContact });
    fn.addEventSource(
      new SqsEventSource(messaging.queue(name), {
        batchSize: 1,
        reportBatchItemFailures: true,
        maxConcurrency: crawls ? crawlsAtOnce : FEWEST_AT_ONCE,
      }),
    );
    return fn;
  }
}
