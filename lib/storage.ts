import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Aws, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

/** The truth about sites, and the texts of their pages. Both stay when the stack is deleted. */
export class Storage extends Construct {
  readonly #table: Table;
  readonly #texts: Bucket;

  constructor(scope: Construct, id: string, { tableName }: { readonly tableName: string }) {
    super(scope, id);
    this.#table = new Table(this, 'Table', {
      tableName,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: 'expiresAt',
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.#texts = new Bucket(this, 'Texts', {
      bucketName: `${tableName}-texts-${Aws.ACCOUNT_ID}-${Aws.REGION}`,
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(1) }],
      removalPolicy: RemovalPolicy.RETAIN,
    });
    Validations.of(this.#texts).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Only functions of the service read and write it, and the role of each says what it may',
    });
  }

  grantTable(fn: ServiceFunction): void {
    fn.allow(
      TABLE_ACTIONS.map((action) => `dynamodb:${action}`),
      this.#table.tableArn,
    );
    fn.setVariables({ TABLE_NAME: this.#table.tableName });
  }

  grantTexts(fn: ServiceFunction): void {
    fn.allowInside(this.#texts, this.#texts.bucketArn, ['s3:GetObject', 's3:PutObject', 's3:DeleteObject']);
    fn.allow(['s3:ListBucket'], this.#texts.bucketArn);
    fn.setVariables({ TEXTS_BUCKET: this.#texts.bucketName });
  }
}

/** Reading and writing: that a caller is known is a read, and which code writes besides does not show in its imports. */
const TABLE_ACTIONS = [
  ...['GetItem', 'BatchGetItem', 'Query', 'ConditionCheckItem'],
  ...['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
];
