import { describe, expect, it } from '@jest/globals';
import { settings } from '../../lib/settings.ts';
import { resourcesOf } from './readable-template.ts';
import { actionsOf, grants, review, reviewBeside } from './review.ts';
import { production, trial } from './stack/templates.ts';
import { API_KEY_SECRET, findings, options } from './synthesis.ts';

// The parts of the stack are tested in this file's process: so the CDK is loaded once, which takes most of the time.
import './stack/api.ts';
import './stack/delivery.ts';
import './stack/environment.ts';
import './stack/messaging.ts';
import './stack/monitoring.ts';
import './stack/permissions.ts';
import './stack/search-index.ts';
import './stack/service-function.ts';
import './stack/spending.ts';
import './stack/storage.ts';
import './stack/web-files.ts';

describe('the stack', () => {
  it('of a trial has the reviewed permissions, event sources and alarms', () => {
    expect(review(trial)).toMatchSnapshot();
  });

  it('of production with every option has the reviewed permissions, event sources and alarms', () => {
    expect(reviewBeside(production, trial)).toMatchSnapshot();
  });

  it.each([
    ['a trial', settings.trial],
    ['a trial with every option but a domain', { ...settings.trial, ...options, domain: undefined }],
    ['production with every option', { ...settings.production, ...options }],
  ])('of %s has no finding of cdk-nag without a reason', (_, { domain, ...others }) => {
    expect(findings({ ...others, ...(domain && { domain }) })).toEqual([]);
  });

  it('has room for further routes: CloudFormation deploys at most 500 resources', () => {
    expect(Object.keys(production.Resources).length).toBeLessThanOrEqual(470);
  });

  it('prints the addresses of the service, and the target of a domain’s DNS record', () => {
    const edge = 'Delivery/Distribution.DomainName';
    expect(trial.Outputs).toMatchObject({
      BaseUrl: { Value: `https://${edge}/api` },
      PublicUrl: { Value: `https://${edge}/v1` },
      PageUrl: { Value: `https://${edge}/` },
    });
    expect(production.Outputs).toMatchObject({
      BaseUrl: { Value: 'https://search.example.com/api' },
      PublicUrl: { Value: 'https://search.example.com/v1' },
      PageUrl: { Value: 'https://search.example.com/' },
      EdgeName: { Value: edge },
    });
  });
});

describe('a role', () => {
  it('is allowed named actions on named resources; only X-Ray has no resource to name', () => {
    for (const { role, Effect, Resource, ...statement } of grants(production)) {
      expect(Effect).toBe('Allow');
      const actions = actionsOf(statement);
      expect(`${role} ${actions}`).not.toContain('*');
      if ([Resource].flat().includes('*'))
        expect(actions).toEqual(['xray:PutTelemetryRecords', 'xray:PutTraceSegments']);
    }
  });

  it('has no managed policy, except the account’s role by which gateways write logs', () => {
    const managed = resourcesOf(production, 'AWS::IAM::Role').filter(
      ([, { Properties }]) => Properties.ManagedPolicyArns,
    );
    expect(managed.map(([name]) => name)).toEqual(['Api/Gateway/CloudWatchRole']);
  });

  it('belongs to one function', () => {
    const roles = resourcesOf(production, 'AWS::Lambda::Function').map(([, { Properties }]) => Properties.Role);
    expect(new Set(roles).size).toBe(roles.length);
  });

  it('may do nothing but use the table, log and trace if its function imports only the table', () => {
    const actions = grants(production).flatMap((grant) => (grant.role === 'Api/get-site-role' ? actionsOf(grant) : []));
    expect(new Set(actions.map((action) => action.split(':')[0]))).toEqual(new Set(['dynamodb', 'logs', 'xray']));
  });

  it('may receive the messages of its worker’s own queue', () => {
    const receivers = grants(production).filter((grant) => actionsOf(grant).includes('sqs:ReceiveMessage'));
    expect(Object.fromEntries(receivers.map(({ role, Resource }) => [role, Resource]))).toEqual({
      'Workers/crawl-slice-role': 'Messaging/crawl.Arn',
      'Workers/render-slice-role': 'Messaging/render.Arn',
      'Workers/crawl-dead-role': 'Messaging/crawl-dead.Arn',
      'Workers/embed-pages-role': 'Messaging/embed-pages.Arn',
      'Workers/enrich-pages-role': 'Messaging/enrich-pages.Arn',
      'Workers/refill-pages-role': 'Messaging/refill-pages.Arn',
      'Workers/move-index-role': 'Messaging/move-index.Arn',
      'Workers/clean-up-site-role': 'Messaging/clean-up.Arn',
      'Workers/start-scheduled-role': 'Messaging/starts.Arn',
      'Workers/deliver-webhooks-role': 'Messaging/webhooks.Arn',
      'Workers/check-health-role': 'Messaging/site-health.Arn',
      'Workers/append-events-role': 'Messaging/telemetry.Arn',
      'Workers/count-edge-hits-role': 'Messaging/edge-logs.Arn',
    });
  });

  it('may read the provider’s key if its function searches or writes pages, and no other secret', () => {
    const readers = grants(production).filter((grant) => actionsOf(grant).includes('secretsmanager:GetSecretValue'));
    const roles = readers.map(({ role }) => role);
    expect(roles).toEqual(expect.arrayContaining(['Api/search-site-role', 'Workers/crawl-slice-role']));
    for (const role of ['Api/get-site-role', 'Api/start-crawl-role', 'Workers/crawl-dead-role'])
      expect(roles).not.toContain(role);
    for (const { Resource } of readers) expect(Resource).toBe(API_KEY_SECRET);
  });
});
