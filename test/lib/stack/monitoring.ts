import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type QueueDefinition, queues } from '../../../lambdas/messages.ts';
import { resourceAt, resourcesOf } from '../readable-template.ts';
import { production, trial } from './templates.ts';

const alarms = resourcesOf(trial, 'AWS::CloudWatch::Alarm');
const definitions = Object.entries(queues) as [string, QueueDefinition][];
const names = alarms.map(([, { Properties }]) => Properties.AlarmName.slice('site-search-test-'.length));

describe('an alarm', () => {
  it.each(definitions)(
    'watches the queue %s: its dead letters, or the age of its oldest message',
    (name, definition) => {
      expect(names).toContain(definition.deadLetters === undefined ? `${name}-letters` : `${name}-waits`);
    },
  );

  it('counts the dead letters that a worker takes by its invocations, since they are never visible for long', () => {
    expect(resourceAt(trial, 'Monitoring/crawl-dead-letters').Properties).toMatchObject({
      MetricName: 'Invocations',
      Dimensions: [{ Name: 'FunctionName', Value: 'Workers/crawl-dead' }],
    });
  });

  it('watches the errors of every worker', () => {
    const workers = resourcesOf(trial, 'AWS::Lambda::Function').filter(([name]) => name.startsWith('Workers/'));
    for (const [name] of workers) {
      expect(resourceAt(trial, `${name.replace('Workers', 'Monitoring')}-fails`).Properties).toMatchObject({
        MetricName: 'Errors',
        Dimensions: [{ Name: 'FunctionName', Value: name }],
      });
    }
  });

  it('goes off when a fifth of a node’s disk is left', () => {
    const thresholdOf = (template: typeof trial) => resourceAt(template, 'Monitoring/index-full').Properties.Threshold;
    expect([thresholdOf(trial), thresholdOf(production)]).toEqual([2048, 10_240]);
  });

  it('is not raised by missing data, except that of the watchdog', () => {
    for (const [name, { Properties }] of alarms)
      expect([name, Properties.TreatMissingData]).toEqual([
        name,
        name === 'Monitoring/watchdog-silent' ? 'breaching' : 'notBreaching',
      ]);
  });

  it('watches a resource of the stack, or all functions of the account, which share a quota', () => {
    const named = [...Object.keys(trial.Resources), 'site-search-test', '<AccountId>'];
    for (const [name, { Properties }] of alarms) {
      const metrics: readonly {
        readonly Namespace: string;
        readonly Dimensions?: readonly { Name: string; Value: string }[];
      }[] = Properties.Metrics?.flatMap(
        (each: { MetricStat?: { Metric: object } }) => each.MetricStat?.Metric ?? [],
      ) ?? [Properties];
      for (const { Namespace, Dimensions = [] } of metrics) {
        for (const { Value } of Dimensions.filter(({ Name }) => Name !== 'Operation'))
          expect([
            name,
            named.some((resource) => Value === resource || Value.startsWith(`${resource}.`)),
            Value,
          ]).toEqual([...[name, true, Value]]);
        if (Dimensions.length === 0) expect(['AWS/Lambda', 'SiteSearch/site-search-test']).toContain(Namespace);
      }
    }
  });

  it('states its severity', () => {
    for (const [, { Properties }] of alarms) expect(Properties.AlarmDescription).toMatch(/^Severity (high|low)\. /);
  });

  it('is explained in the operations manual, which its description names', () => {
    const manual = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    for (const name of names) expect(manual).toContain(`\`${name}\``);
    for (const [, { Properties }] of alarms) expect(Properties.AlarmDescription).toContain('docs/operations.md');
  });

  it('has no action without an address, and mails the address of the settings', () => {
    for (const [, { Properties }] of alarms) {
      expect(Properties).not.toHaveProperty('AlarmActions');
      expect(Properties).not.toHaveProperty('OKActions');
    }
    const mailed = resourcesOf(production, 'AWS::CloudWatch::Alarm');
    expect(mailed).toHaveLength(alarms.length);
    for (const [, { Properties }] of mailed) {
      expect(Properties.AlarmActions).toEqual(['Monitoring/Alarms']);
      const isHigh = Properties.AlarmDescription.startsWith('Severity high');
      expect(Properties.OKActions).toEqual(isHigh ? ['Monitoring/Alarms'] : undefined);
    }
    const [[, subscription] = []] = resourcesOf(production, 'AWS::SNS::Subscription');
    expect(subscription?.Properties).toEqual({
      Protocol: 'email',
      Endpoint: 'operators@example.com',
      TopicArn: 'Monitoring/Alarms',
    });
  });
});

describe('the topic of the alarms', () => {
  it('admits CloudWatch of the account, and refuses connections without TLS', () => {
    const { PolicyDocument } = resourceAt(production, 'Monitoring/Alarms/Policy').Properties;
    expect(PolicyDocument.Statement).toEqual([
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      {
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: 'sns:Publish',
        Resource: 'Monitoring/Alarms',
        Condition: { StringEquals: { 'aws:SourceAccount': '<AccountId>' } },
        Sid: expect.any(String),
      },
    ]);
  });
});

describe('the dashboard', () => {
  const { DashboardName, DashboardBody } = resourceAt(trial, 'Monitoring/Dashboard/Screen').Properties;
  const { widgets } = JSON.parse(DashboardBody);

  it('has the stack’s name, and is one screen', () => {
    expect(DashboardName).toBe('site-search-test');
    const bottom = Math.max(...widgets.map(({ y, height }: { y: number; height: number }) => y + height));
    expect(bottom).toBeLessThanOrEqual(20);
  });

  it('shows every alarm, and at most 50 metrics, which are free of charge', () => {
    const [{ properties }] = widgets;
    expect(properties.alarms).toHaveLength(alarms.length);
    const metrics = widgets.flatMap(
      (each: { properties: { metrics?: readonly unknown[] } }) => each.properties.metrics ?? [],
    );
    expect(metrics.length).toBeLessThanOrEqual(50);
  });
});
