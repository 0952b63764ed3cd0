import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Aws, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import {
  type AlarmRule,
  apiAlarms,
  domainAlarms,
  lambdaAlarms,
  queueAlarms,
  tableAlarms,
  workerAlarms,
} from './alarm-rules.ts';
import type { Api } from './api.ts';
import { Dashboard } from './dashboard.ts';
import { degradedSearches } from './degraded-search-metric.ts';
import type { Messaging } from './messaging.ts';
import type { SearchIndex } from './search-index.ts';
import type { Settings } from './settings.ts';
import type { Storage } from './storage.ts';
import type { Workers } from './workers.ts';

export type MonitoringProps = {
  readonly storage: Storage;
  readonly searchIndex: SearchIndex;
  readonly messaging: Messaging;
  readonly workers: Workers;
  readonly api: Api;
  readonly settings: Settings;
};

/**
 * Creates one alarm for each fault that needs a person, and a dashboard. `docs/operations.md` says for each alarm what
 * it means and what to do.
 */
export class Monitoring extends Construct {
  readonly #mail: SnsAction | undefined;

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const { storage, searchIndex, messaging, workers, api, settings } = props;
    this.#mail = settings.alarmMail === undefined ? undefined : this.#mailTo(settings.alarmMail);
    const degraded = degradedSearches(api);
    const rules: Readonly<Record<string, AlarmRule>> = {
      ...queueAlarms(messaging, workers),
      ...workerAlarms(workers),
      ...lambdaAlarms,
      ...apiAlarms(api, degraded),
      ...domainAlarms(searchIndex, settings),
      ...tableAlarms(storage),
    };
    const alarms = Object.entries(rules).map(([name, rule]) => this.#makeAlarm(name, rule));
    new Dashboard(this, 'Dashboard', { ...props, degraded, alarms });
  }

  #makeAlarm(id: string, rule: AlarmRule): Alarm {
    const { severity, description, metric, above, below, periods = 1, whenSilent = false } = rule;
    const alarm = new Alarm(this, id, {
      alarmName: `${Stack.of(this).stackName}-${id}`,
      alarmDescription: `Severity ${severity}. ${description}. What to do: docs/operations.md`,
      metric,
      threshold: above ?? below ?? 0,
      comparisonOperator:
        above === undefined ? ComparisonOperator.LESS_THAN_THRESHOLD : ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: periods,
      treatMissingData: whenSilent ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    if (this.#mail) alarm.addAlarmAction(this.#mail);
    if (this.#mail && severity === 'high') alarm.addOkAction(this.#mail);
    return alarm;
  }

  #mailTo(address: string): SnsAction {
    const topic = new Topic(this, 'Alarms', { enforceSSL: true });
    topic.addSubscription(new EmailSubscription(address));
    // `enforceSSL` makes a policy, which replaces the default policy that admits every service of the account.
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    return new SnsAction(topic);
  }
}
