import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Aws, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Messaging } from './messaging.ts';
import type { ServiceFunction } from './service-function.ts';

export type SchedulingProps = { readonly groupName: string; readonly messaging: Messaging };

/** The group of the sites' recurring starts, and the role with which EventBridge Scheduler sends them to `starts`. */
export class Scheduling extends Construct {
  readonly #groupName: string;
  readonly #role: Role;
  readonly #queueArn: string;

  constructor(scope: Construct, id: string, { groupName, messaging }: SchedulingProps) {
    super(scope, id);
    const group = new ScheduleGroup(this, 'Group', {
      scheduleGroupName: groupName,
      removalPolicy: RemovalPolicy.DESTROY, // the sites of a retained table have no workers without the stack
    });
    this.#groupName = groupName;
    this.#queueArn = messaging.queue('starts').queueArn;
    this.#role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: {
          StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID, 'aws:SourceArn': group.scheduleGroupArn },
        },
      }),
    });
    this.#role.addToPolicy(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [this.#queueArn] }));
  }

  grant(fn: ServiceFunction): void {
    const arnOf = (partition: string, region: string, account: string) =>
      `arn:${partition}:scheduler:${region}:${account}:schedule/${this.#groupName}`;
    fn.allowBelow(
      arnOf(Aws.PARTITION, Aws.REGION, Aws.ACCOUNT_ID),
      arnOf('<AWS::Partition>', '<AWS::Region>', '<AWS::AccountId>'),
      ['CreateSchedule', 'UpdateSchedule', 'DeleteSchedule'].map((action) => `scheduler:${action}`),
    );
    fn.addToRolePolicy(
      new PolicyStatement({
        actions: ['iam:PassRole'],
        resources: [this.#role.roleArn],
        conditions: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
      }),
    );
    fn.setVariables({
      SCHEDULE_GROUP: this.#groupName,
      SCHEDULE_ROLE_ARN: this.#role.roleArn,
      STARTS_QUEUE_ARN: this.#queueArn,
    });
  }
}
