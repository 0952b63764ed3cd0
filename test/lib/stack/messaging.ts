import { describe, expect, it } from '@jest/globals';
import { type QueueDefinition, queues } from '../../../lambdas/messages.ts';
import { settings } from '../../../lib/settings.ts';
import { resourceAt, resourcesOf } from '../readable-template.ts';
import { production, trial } from './templates.ts';

const definitions = Object.entries(queues) as [string, QueueDefinition][];
const worked = definitions.flatMap(([name, { worker, ...others }]) =>
  worker === undefined ? [] : ([[name, { ...others, worker }]] as const),
);
/** EventBridge announces the log files of the edge. */
const ANNOUNCE = ['sqs:GetQueueAttributes', 'sqs:GetQueueUrl', 'sqs:SendMessage'];
const propertiesOf = (name: string) => resourceAt(trial, `Messaging/${name}`).Properties;

describe('the queue', () => {
  it.each(definitions)('%s has the name, the type and the visibility timeout of messages.ts', (name, definition) => {
    expect(propertiesOf(name)).toMatchObject({
      QueueName: `site-search-test-${name}${definition.fifo ? '.fifo' : ''}`,
      VisibilityTimeout: definition.visibilitySeconds,
    });
    expect(propertiesOf(name).FifoQueue).toBe(definition.fifo || undefined);
  });

  it.each(definitions)('%s is encrypted, keeps messages for 14 days and refuses connections without TLS', (name) => {
    expect(propertiesOf(name)).toMatchObject({ SqsManagedSseEnabled: true, MessageRetentionPeriod: 14 * 86_400 });
    const { Queues, PolicyDocument } = resourceAt(trial, `Messaging/${name}/Policy`).Properties;
    expect(Queues).toEqual([`Messaging/${name}`]);
    const allowed = name === 'edge-logs' ? [expect.objectContaining({ Effect: 'Allow', Action: ANNOUNCE })] : [];
    expect(PolicyDocument.Statement).toEqual([
      expect.objectContaining({
        Effect: 'Deny',
        Action: 'sqs:*',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
      ...allowed,
    ]);
  });

  it.each(definitions.filter(([, { fifo }]) => fifo))('%s orders and deduplicates within a group', (name) => {
    expect(propertiesOf(name)).toMatchObject({
      DeduplicationScope: 'messageGroup',
      FifoThroughputLimit: 'perMessageGroupId',
    });
  });

  it.each(definitions)('%s has the dead-letter queue of messages.ts', (name, { deadLetters, maxReceives }) => {
    const expected = deadLetters && {
      deadLetterTargetArn: `Messaging/${deadLetters}.Arn`,
      maxReceiveCount: maxReceives,
    };
    expect(propertiesOf(name).RedrivePolicy).toEqual(expected);
  });
});

describe('the worker of the queue', () => {
  const sourceOf = (template: typeof trial, queue: string) => {
    const sources = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').filter(
      ([, { Properties }]) => Properties.EventSourceArn === `Messaging/${queue}.Arn`,
    );
    expect(sources).toHaveLength(1);
    return sources[0]?.[1].Properties;
  };

  it.each(worked)(
    '%s takes one message or the batch of messages.ts, and reports failures by message',
    (name, queue) => {
      const { worker, batch } = queue;
      expect(sourceOf(trial, name)).toMatchObject({
        FunctionName: `Workers/${worker}`,
        BatchSize: batch?.size ?? 1,
        ...(batch && { MaximumBatchingWindowInSeconds: batch.windowSeconds }),
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      });
    },
  );

  it('telemetry takes the events of a hundred searches at once', () => {
    expect(sourceOf(trial, 'telemetry')).toMatchObject({ BatchSize: 100, MaximumBatchingWindowInSeconds: 5 });
  });

  it.each(worked)('%s times out before its message becomes visible again', (_, queue) => {
    const { worker, visibilitySeconds, batch } = queue;
    const { Timeout } = resourceAt(trial, `Workers/${worker}`).Properties;
    expect(Timeout + (batch?.windowSeconds ?? 0)).toBeLessThan(visibilitySeconds);
  });

  it.each(worked)('%s runs at most twice at once; crawls as often as the settings say', (name) => {
    const { crawlsAtOnce } = settings.production;
    const isCrawl = name === 'crawl' || name === 'render';
    expect(sourceOf(production, name).ScalingConfig.MaximumConcurrency).toBe(isCrawl ? crawlsAtOnce : 2);
  });

  it('runs for no queue without a worker', () => {
    expect(resourcesOf(trial, 'AWS::Lambda::EventSourceMapping')).toHaveLength(worked.length);
  });
});

describe('the watchdog', () => {
  it('runs every minute and is not retried', () => {
    expect(resourceAt(trial, 'Workers/EveryMinute').Properties).toMatchObject({
      ScheduleExpression: 'rate(1 minute)',
      State: 'ENABLED',
      Targets: [{ Arn: 'Workers/watchdog.Arn', RetryPolicy: { MaximumRetryAttempts: 0 } }],
    });
  });
});
