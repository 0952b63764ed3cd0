import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type QueueDefinition, queues } from '../../lambdas/messages.ts';
import { resourceAt, resourcesOf } from './readable-template.ts';
import { productionTemplate, trialTemplate } from './synthesis.ts';

const trial = trialTemplate();
const production = productionTemplate();
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

  it('is not raised by missing data', () => {
    for (const [, { Properties }] of alarms) expect(Properties.TreatMissingData).toBe('notBreaching');
  });

  it('is explained in the operations manual, which its description names', () => {
    const manual = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    for (const name of names) expect(manual).toContain(`\`${name}\``);
    for (const [, { Properties }] of alarms) expect(Properties.AlarmDescription).toContain('docs/operations.md');
  });

  it('has no action without an address, and mails the address of the settings', () => {
    for (const [, { Properties }] of alarms) expect(Properties).not.toHaveProperty('AlarmActions');
    const mailed = resourcesOf(production, 'AWS::CloudWatch::Alarm');
    expect(mailed).toHaveLength(alarms.length);
    for (const [, { Properties }] of mailed) expect(Properties.AlarmActions).toEqual(['Monitoring/Alarms']);
    const [[, subscription] = []] = resourcesOf(production, 'AWS::SNS::Subscription');
    expect(subscription?.Properties).toEqual({
      Protocol: 'email',
      Endpoint: 'operators@example.com',
      TopicArn: 'Monitoring/Alarms',
    });
  });
});
