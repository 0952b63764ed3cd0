import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { type SecretValue, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Settings } from './settings.ts';

export type SpendingProps = {
  readonly gateway: SpecRestApi;
  readonly edgeKey: SecretValue;
  readonly settings: Settings;
};

/** Limits what strangers can make the service cost, and sends mail about its costs. Both are optional. */
export class CostGuards extends Construct {
  constructor(scope: Construct, id: string, { gateway, edgeKey, settings }: SpendingProps) {
    super(scope, id);
    const { firewall, budget } = settings;
    if (firewall) this.#addFirewall(gateway, edgeKey, firewall);
    if (budget) this.#addBudget(budget);
  }

  /**
   * Blocks an address that calls too often, before a function is paid for it. The firewall is at the gateway, so that
   * it is in the region of the stack and does not count answers from the cache. The edge sends it the address.
   * Only calls with the edge's key count: the gateway refuses others, and those could name the address of a victim.
   */
  #addFirewall(
    gateway: SpecRestApi,
    edgeKey: SecretValue,
    { callsPerFiveMinutes }: NonNullable<Settings['firewall']>,
  ): void {
    const name = `${Stack.of(this).stackName}-rate`;
    const visibilityConfig = { cloudWatchMetricsEnabled: true, metricName: name, sampledRequestsEnabled: false };
    const acl = new CfnWebACL(this, 'Firewall', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig,
      rules: [
        {
          name: 'calls-of-an-address',
          priority: 0,
          action: { block: {} },
          statement: {
            rateBasedStatement: {
              limit: callsPerFiveMinutes,
              aggregateKeyType: 'FORWARDED_IP',
              forwardedIpConfig: { headerName: 'x-client-ip', fallbackBehavior: 'NO_MATCH' },
              scopeDownStatement: {
                byteMatchStatement: {
                  fieldToMatch: { singleHeader: { Name: 'x-api-key' } },
                  positionalConstraint: 'EXACTLY',
                  searchString: edgeKey.unsafeUnwrap(),
                  textTransformations: [{ priority: 0, type: 'NONE' }],
                },
              },
            },
          },
          visibilityConfig,
        },
      ],
    });
    new CfnWebACLAssociation(this, 'AtGateway', {
      resourceArn: gateway.deploymentStage.stageArn,
      webAclArn: acl.attrArn,
    });
  }

  #addBudget({ dollarsPerMonth, mail }: NonNullable<Settings['budget']>): void {
    const subscribers = [{ subscriptionType: 'EMAIL', address: mail }];
    const notification = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
      notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold, thresholdType: 'PERCENTAGE' },
      subscribers,
    });
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetName: Stack.of(this).stackName,
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: dollarsPerMonth, unit: 'USD' },
      },
      notificationsWithSubscribers: [notification('ACTUAL', 80), notification('FORECASTED', 100)],
    });
  }
}
