import { describe, expect, it } from '@jest/globals';
import { concurrencyFault } from '../../../lib/concurrency.ts';
import { settings } from '../../../lib/settings.ts';
import { resourceAt, resourcesOf } from '../readable-template.ts';
import { production, trial } from './templates.ts';

describe('calls', () => {
  it.each([
    ['a trial', trial, settings.trial],
    ['production', production, settings.production],
  ])('of %s are throttled by the usage plan and by the stage', (_, template, { throttle }) => {
    expect(resourceAt(template, 'Api/Gateway/Plan').Properties.Throttle).toEqual({
      RateLimit: throttle.callsPerSecond,
      BurstLimit: throttle.burst,
    });
    expect(resourceAt(template, 'Api/Gateway/DeploymentStage.live').Properties.MethodSettings).toContainEqual({
      HttpMethod: '*',
      ResourcePath: '/*',
      DataTraceEnabled: false,
      ThrottlingRateLimit: throttle.callsPerSecond,
      ThrottlingBurstLimit: throttle.burst,
    });
  });

  it('of an address are limited by a firewall at the gateway if the settings say so, which counts what bears the edge’s key', () => {
    const { Scope, Rules } = resourceAt(production, 'Spending/Firewall').Properties;
    expect(Scope).toBe('REGIONAL');
    expect(Rules).toMatchObject([
      {
        Action: { Block: {} },
        Statement: {
          RateBasedStatement: {
            Limit: 2000,
            AggregateKeyType: 'FORWARDED_IP',
            ForwardedIPConfig: { HeaderName: 'x-client-ip', FallbackBehavior: 'NO_MATCH' },
            ScopeDownStatement: {
              ByteMatchStatement: {
                FieldToMatch: { SingleHeader: { Name: 'x-api-key' } },
                PositionalConstraint: 'EXACTLY',
                SearchString: '{{resolve:secretsmanager:Api/EdgeKey:SecretString:::}}',
                TextTransformations: [{ Priority: 0, Type: 'NONE' }],
              },
            },
          },
        },
      },
    ]);
    expect(resourceAt(production, 'Spending/AtGateway').Properties.ResourceArn).toContain(
      '/restapis/Api/Gateway/stages/',
    );
    expect(resourcesOf(trial, 'AWS::WAFv2::WebACL')).toEqual([]);
  });
});

describe('the budget', () => {
  it('mails at 80 % of it, and when more is expected', () => {
    const { Budget, NotificationsWithSubscribers } = resourceAt(production, 'Spending/Budget').Properties;
    expect(Budget).toMatchObject({
      BudgetLimit: { Amount: 600, Unit: 'USD' },
      TimeUnit: 'MONTHLY',
      BudgetType: 'COST',
    });
    const kinds = NotificationsWithSubscribers.map((each: { Notification: object; Subscribers: object }) => [
      each.Notification,
      each.Subscribers,
    ]);
    const mail = [{ SubscriptionType: 'EMAIL', Address: 'operators@example.com' }];
    expect(kinds).toMatchObject([
      [{ NotificationType: 'ACTUAL', Threshold: 80 }, mail],
      [{ NotificationType: 'FORECASTED', Threshold: 100 }, mail],
    ]);
    expect(resourcesOf(trial, 'AWS::Budgets::Budget')).toEqual([]);
  });
});

describe('concurrent executions', () => {
  it('of all workers are at most half of the quota in production', () => {
    const sources = resourcesOf(production, 'AWS::Lambda::EventSourceMapping');
    const workers = sources.reduce((sum, [, { Properties }]) => sum + Properties.ScalingConfig.MaximumConcurrency, 0);
    expect(workers).toBeGreaterThanOrEqual(2 * sources.length);
    expect(concurrencyFault(workers, settings.production)).toBeUndefined();
  });

  it('that a new account cannot have are a warning, which says how many to ask for', () => {
    const fault = concurrencyFault(20, { concurrentExecutions: 10, crawlsAtOnce: 2 });
    expect(fault?.level).toBe('warning');
    expect(fault?.message).toContain('ask AWS for at least 40');
  });

  it('that leave visitors too few are an error, which says how many crawls are possible', () => {
    const fault = concurrencyFault(2020, { concurrentExecutions: 1000, crawlsAtOnce: 1000 });
    expect(fault?.level).toBe('error');
    expect(fault?.message).toContain('Set crawlsAtOnce to at most 240');
  });
});
