import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Aws, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Messaging } from './messaging.ts';
import type { ServiceFunction } from './service-function.ts';

export type EdgeLogsProps = { readonly bucketPrefix: string; readonly messaging: Messaging };

/** CloudFront's log files, each of which is sent to the queue `edge-logs`, counted and deleted. They have addresses. */
export class EdgeLogs extends Construct {
  readonly #bucket: Bucket;

  constructor(scope: Construct, id: string, { bucketPrefix, messaging }: EdgeLogsProps) {
    super(scope, id);
    this.#bucket = new Bucket(this, 'Bucket', {
      bucketName: `${bucketPrefix}-edge-logs-${Aws.ACCOUNT_ID}-${Aws.REGION}`,
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED, // CloudFront delivers by an access control list
      lifecycleRules: [{ expiration: Duration.days(1) }],
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE, // a bucket with files cannot be deleted
    });
    Validations.of(this.#bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'It holds logs for minutes; one function reads and deletes them',
    });
    this.#announceFiles(messaging);
  }

  /** The cast: CDK's `Bucket` is no `IBucket` under `exactOptionalPropertyTypes`. */
  get files(): IBucket {
    return this.#bucket as IBucket;
  }

  /** By a property of the template: CDK's own way would add a function with permissions for all buckets. */
  #announceFiles(messaging: Messaging): void {
    const bucket = this.#bucket.node.defaultChild as CfnBucket;
    bucket.addPropertyOverride('NotificationConfiguration.EventBridgeConfiguration.EventBridgeEnabled', true);
    const message = RuleTargetInput.fromObject({ key: EventField.fromPath('$.detail.object.key') });
    new Rule(this, 'NewFile', {
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: { bucket: { name: [this.#bucket.bucketName] } },
      },
      targets: [new SqsQueue(messaging.queue('edge-logs'), { message })],
    });
  }

  grant(fn: ServiceFunction): void {
    fn.allowInside(this.#bucket, this.#bucket.bucketArn, ['s3:GetObject', 's3:DeleteObject']);
    fn.allow(['s3:ListBucket'], this.#bucket.bucketArn); // without it, a file that is not there is 403
    fn.setVariables({ EDGE_LOGS_BUCKET: this.#bucket.bucketName });
  }
}
