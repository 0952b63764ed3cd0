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
import { Duration, RemovalPolicy, Stack, Token, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Messaging } from './messaging.ts';
import type { ServiceFunction } from './service-function.ts';

export type EdgeLogsProps = { readonly bucketPrefix: string; readonly messaging: Messaging };

/** Regions to which CloudFront delivers standard logs. It delivers to none that an account has to opt in to. */
const REGIONS_WITH_LOGS = [
  ...['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2', 'ca-central-1', 'sa-east-1'],
  ...['eu-central-1', 'eu-north-1', 'eu-west-1', 'eu-west-2', 'eu-west-3'],
  ...['ap-northeast-1', 'ap-northeast-2', 'ap-northeast-3', 'ap-south-1', 'ap-southeast-1', 'ap-southeast-2'],
];

/**
 * The log files of CloudFront. Each is sent to the queue `edge-logs`, counted and deleted, because the files contain
 * addresses.
 */
export class EdgeLogs extends Construct {
  readonly #bucket: Bucket;

  constructor(scope: Construct, id: string, { bucketPrefix, messaging }: EdgeLogsProps) {
    super(scope, id);
    const { account, region } = Stack.of(this);
    if (!Token.isUnresolved(region) && !REGIONS_WITH_LOGS.includes(region)) {
      const regions = REGIONS_WITH_LOGS.join(', ');
      throw new Error(`CloudFront cannot deliver its logs to ${region}. Deploy to one of ${regions}`);
    }
    this.#bucket = new Bucket(this, 'Bucket', {
      bucketName: `${bucketPrefix}-edge-logs-${account}-${region}`,
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED, // CloudFront delivers with an access control list
      lifecycleRules: [{ expiration: Duration.days(1) }],
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE, // a bucket with files cannot be deleted
    });
    Validations.of(this.#bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'It holds logs for minutes; one function reads and deletes them',
    });
    this.#announceFiles(messaging);
  }

  /** Casts the bucket, because CDK's `Bucket` is no `IBucket` under `exactOptionalPropertyTypes`. */
  get files(): IBucket {
    return this.#bucket as IBucket;
  }

  /**
   * Sends a message for each new file, by a property of the template. CDK's own way would add a function with
   * permissions for all buckets.
   */
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
    fn.allow(['s3:ListBucket'], this.#bucket.bucketArn); // without it, a missing file answers 403
    fn.setVariables({ EDGE_LOGS_BUCKET: this.#bucket.bucketName });
  }
}
