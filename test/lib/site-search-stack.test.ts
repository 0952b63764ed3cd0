import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type QueueDefinition, queues } from '../../lambdas/messages.ts';
import type { Route } from '../../lambdas/routes/route.ts';
import { routes } from '../../lambdas/routes.ts';
import { settings } from '../../lib/settings.ts';
import { readable } from './readable-template.ts';
import { findings, synthesise } from './synthesis.ts';
import { functionThatRuns, listOf, onlyOf, resourcesOf, statementsIn } from './template-parts.ts';

const SECRET = 'arn:aws:secretsmanager:us-east-1:111122223333:secret:provider-key-AbCdEf';
const domain = { name: 'search.example.com', certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/example' };
const options = {
  alarmMail: 'operators@example.com',
  crawlContact: 'crawling@example.com',
  embedding: { model: 'text-embedding-3-small', dimensions: 512, apiKeySecretArn: SECRET },
};
const trial = synthesise(settings.trial);
const production = synthesise({ ...settings.production, ...options, domain });

const all = (type: string) => resourcesOf(trial, type);
const only = (type: string) => onlyOf(trial, type);
const functionOf = (entry: string) => functionThatRuns(trial, entry);
const statements = () => statementsIn(trial);
const statementsOf = (name: string) => statements().filter(({ of }) => of.startsWith(name));
const functions = () => all('AWS::Lambda::Function');

describe('the template', () => {
  it('is the one that was looked at last', () => {
    expect(readable(trial)).toMatchSnapshot();
  });

  it('has no finding of cdk-nag that is not explained', () => {
    // With one node and without a domain there are more of them than in production.
    expect(findings({ ...settings.trial, ...options })).toEqual([]);
  });
});

describe('permissions', () => {
  it('name every action, and every resource but for traces, which have none', () => {
    for (const { Effect, Action, Resource, of } of statements()) {
      expect(Effect).toBe('Allow');
      for (const action of listOf(Action)) expect(`${of} ${action}`).not.toContain('*');
      const isOpen = listOf(Resource).includes('*');
      if (isOpen) expect(listOf(Action)).toEqual(['xray:PutTelemetryRecords', 'xray:PutTraceSegments']);
    }
  });

  it('are no managed policies, but for the account’s role by which gateways log', () => {
    const managed = all('AWS::IAM::Role').filter(([, { Properties }]) => Properties.ManagedPolicyArns);
    expect(managed.map(([name]) => name)).toEqual([expect.stringContaining('ApiGatewayCloudWatchRole')]);
  });

  it('are given to what imports the port, with its variable, and to no other', () => {
    const [name, { Properties }] = functionOf('api/get-site');
    expect(Object.keys(Properties.Environment.Variables).toSorted()).toEqual(['LOG_LEVEL', 'TABLE_NAME']);
    const services = statementsOf(name.replace(/[0-9A-F]{8}$/, '')).flatMap(({ Action }) =>
      listOf(Action).map((action) => action.split(':')[0]),
    );
    expect([...new Set(services)].toSorted()).toEqual(['dynamodb', 'logs', 'xray']);
  });

  it('let a crawl worker work its own queue, send, and use table, texts and index', () => {
    const actions = statementsOf('Workerscrawlslice').flatMap(({ Action }) => listOf(Action));
    const services = [...new Set(actions.map((action) => action.split(':')[0]))].toSorted();
    expect(services).toEqual(['dynamodb', 'es', 'logs', 's3', 'sqs', 'xray']);
    const receives = statementsOf('Workerscrawlslice').filter(({ Action }) => Action.includes('sqs:ReceiveMessage'));
    expect(receives.flatMap(({ Resource }) => listOf(Resource))).toEqual([
      { 'Fn::GetAtt': [expect.stringMatching(/^Messagingcrawl[0-9A-F]{8}$/), 'Arn'] },
    ]);
  });

  it('let code that embeds read the provider’s key where it is kept, and no other code', () => {
    const readers = resourcesOf(production, 'AWS::IAM::Policy').filter(([, { Properties }]) =>
      JSON.stringify(Properties).includes('"secretsmanager:GetSecretValue"'),
    );
    expect(readers.map(([name]) => name)).toContainEqual(expect.stringContaining('Apisearchsiterole'));
    expect(readers.map(([name]) => name)).not.toContainEqual(expect.stringContaining('Apigetsiterole'));
    for (const [, { Properties }] of readers) expect(JSON.stringify(Properties)).toContain(SECRET);
  });

  it('let the gateway call each function by one permission', () => {
    const called = all('AWS::Lambda::Permission').filter(([, { Properties }]) =>
      Properties.Principal.startsWith('apigateway'),
    );
    const served = (Object.values(routes) as Route[]).filter(({ pending }) => !pending);
    expect(called).toHaveLength(served.length + 1);
  });
});

describe('functions', () => {
  it('run Node 24 on arm64, are traced, and log to a group that forgets', () => {
    for (const [, { Properties }] of functions()) {
      expect(Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        TracingConfig: { Mode: 'Active' },
        LoggingConfig: { LogGroup: { Ref: expect.any(String) } },
      });
    }
    for (const [, { Properties }] of all('AWS::Logs::LogGroup')) expect(Properties.RetentionInDays).toBe(7);
  });

  it('share one asset', () => {
    expect(new Set(functions().map(([, { Properties }]) => Properties.Code.S3Key)).size).toBe(1);
  });

  it('stand outside any VPC', () => {
    for (const [, { Properties }] of functions()) expect(Properties).not.toHaveProperty('VpcConfig');
  });

  it('have no secret in their environment', () => {
    for (const [, { Properties }] of [...functions(), ...resourcesOf(production, 'AWS::Lambda::Function')]) {
      for (const [name, value] of Object.entries(Properties.Environment.Variables)) {
        expect(name).not.toMatch(/KEY$|TOKEN|PASSWORD/);
        expect(JSON.stringify(value)).not.toContain('resolve:');
      }
    }
  });
});

describe('the index', () => {
  it('is created, and a move to it begun, when all that writes pages knows of it', () => {
    const [[, index] = []] = all('AWS::CloudFormation::CustomResource');
    const awaited = listOf((index as unknown as { readonly DependsOn: readonly string[] }).DependsOn);
    for (const entry of ['workers/crawl-slice', 'workers/embed-pages', 'workers/clean-up-site', 'api/ingest-pages'])
      expect(awaited).toContain(functionOf(entry)[0]);
  });
});

describe('queues', () => {
  const definitions = Object.entries(queues) as [string, QueueDefinition][];
  const queueOf = (name: string, { fifo }: QueueDefinition) => {
    const queueName = `site-search-test-${name}${fifo ? '.fifo' : ''}`;
    const found = all('AWS::SQS::Queue').find(([, { Properties }]) => Properties.QueueName === queueName);
    if (!found) throw new Error(`there is no queue ${queueName}`);
    return found;
  };

  it.each(definitions)('%s is as messages.ts says', (name, definition) => {
    const [, { Properties }] = queueOf(name, definition);
    expect(Properties.VisibilityTimeout).toBe(definition.visibilitySeconds);
    expect(Properties.SqsManagedSseEnabled).toBe(true);
    expect(Properties.FifoQueue).toBe(definition.fifo || undefined);
    const dead = definition.deadLetters;
    if (dead === undefined) expect(Properties).not.toHaveProperty('RedrivePolicy');
    else {
      const [target] = queueOf(dead, queues[dead as keyof typeof queues]);
      expect(Properties.RedrivePolicy).toEqual({
        deadLetterTargetArn: { 'Fn::GetAtt': [target, 'Arn'] },
        maxReceiveCount: definition.maxReceives,
      });
    }
  });

  it.each(definitions.filter(([, { worker }]) => worker !== undefined))(
    '%s is worked within its visibility',
    (name, definition) => {
      const [queueId] = queueOf(name, definition);
      const [functionId, { Properties }] = functionOf(`workers/${definition.worker}`);
      const source = all('AWS::Lambda::EventSourceMapping').find(
        ([, one]) => one.Properties.EventSourceArn['Fn::GetAtt'][0] === queueId,
      );
      expect(source?.[1].Properties).toMatchObject({
        FunctionName: { Ref: functionId },
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: 2 },
      });
      expect(Properties.Timeout).toBeLessThan(definition.visibilitySeconds);
    },
  );
});

describe('data', () => {
  it('stays when the stack goes', () => {
    for (const template of [trial, production]) {
      for (const [, resource] of [
        ...resourcesOf(template, 'AWS::DynamoDB::Table'),
        ...resourcesOf(template, 'AWS::S3::Bucket'),
      ])
        expect(resource).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    }
    const [[, domain] = []] = resourcesOf(production, 'AWS::OpenSearchService::Domain');
    expect(domain).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  });

  it('can be brought back from any second of the last weeks, and expires by its own field', () => {
    expect(only('AWS::DynamoDB::Table').Properties).toMatchObject({
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      DeletionProtectionEnabled: true,
      BillingMode: 'PAY_PER_REQUEST',
    });
  });

  it('is encrypted, and is asked for by encrypted connections only', () => {
    expect(only('AWS::S3::Bucket').Properties.BucketEncryption).toBeDefined();
    expect(JSON.stringify(only('AWS::S3::BucketPolicy').Properties)).toContain('"aws:SecureTransport":"false"');
    expect(only('AWS::OpenSearchService::Domain').Properties).toMatchObject({
      EncryptionAtRestOptions: { Enabled: true },
      NodeToNodeEncryptionOptions: { Enabled: true },
      DomainEndpointOptions: { EnforceHTTPS: true },
    });
  });
});

describe('alarms', () => {
  const alarms = () => all('AWS::CloudWatch::Alarm');

  it('watch every queue: dead letters, or the age of the oldest message', () => {
    const names = alarms().map(([name]) => name);
    for (const [name, { deadLetters }] of Object.entries(queues) as [string, QueueDefinition][]) {
      const id = `Monitoring${name.replaceAll('-', '')}${deadLetters === undefined ? 'letters' : 'waits'}`;
      expect(names).toContainEqual(expect.stringMatching(new RegExp(`^${id}[0-9A-F]{8}$`)));
    }
  });

  it('are each explained to operators', () => {
    const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    for (const [, { Properties }] of alarms())
      expect(operations).toContain(`\`${Properties.AlarmName.slice('site-search-test-'.length)}\``);
  });

  it('send a mail where one is named', () => {
    for (const [, { Properties }] of alarms()) expect(Properties).not.toHaveProperty('AlarmActions');
    const sent = resourcesOf(production, 'AWS::CloudWatch::Alarm').map(([, one]) => one.Properties.AlarmActions);
    expect(sent.every((actions) => actions?.length === 1)).toBe(true);
  });
});
