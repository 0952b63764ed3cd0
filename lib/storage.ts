import { type IMetric, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { AttributeType, BillingMode, Operation, Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Entry } from './entries.ts';
import type { ServiceFunction } from './service-function.ts';
import { NOTES, OTHERS_WRITE, WRITTEN } from './table-partitions.ts';

type TableMetric = `Consumed${'Read' | 'Write'}CapacityUnits` | `${'Read' | 'Write'}ThrottleEvents`;

/** How far back DynamoDB restores a table. */
const POINT_IN_TIME_RECOVERY = Duration.days(35);
const FIVE_MINUTES = { period: Duration.minutes(5) };
const OPERATIONS = [
  ...[Operation.GET_ITEM, Operation.BATCH_GET_ITEM, Operation.QUERY],
  ...[Operation.PUT_ITEM, Operation.UPDATE_ITEM, Operation.BATCH_WRITE_ITEM, Operation.TRANSACT_WRITE_ITEMS],
];

export type StorageProps = { readonly tableName: string; readonly isProtected: boolean };

/**
 * The table of sites and crawls, and the bucket of extracted pages. Deleting the stack retains both. Undoing a failed
 * first deployment deletes them, since they are empty and would obstruct the second.
 */
export class Storage extends Construct {
  readonly #table: Table;
  readonly #pages: Bucket;

  constructor(scope: Construct, id: string, { tableName, isProtected }: StorageProps) {
    super(scope, id);
    this.#table = new Table(this, 'Table', {
      tableName,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: 'expiresAt',
      deletionProtection: isProtected,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    const { account, region } = Stack.of(this);
    this.#pages = new Bucket(this, 'Pages', {
      bucketName: `${tableName}-pages-${account}-${region}`,
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      versioned: true, // the texts of a table that is restored to an earlier moment still exist
      lifecycleRules: [
        {
          abortIncompleteMultipartUploadAfter: Duration.days(1),
          noncurrentVersionExpiration: POINT_IN_TIME_RECOVERY,
          expiredObjectDeleteMarker: true,
        },
      ],
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    Validations.of(this.#pages).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Only functions of the service access it, each within its own role',
    });
  }

  tableMetric(metricName: TableMetric): Metric {
    const dimensionsMap = { TableName: this.#table.tableName };
    return new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap, statistic: Stats.SUM, ...FIVE_MINUTES });
  }

  /** Counts requests that failed within DynamoDB. */
  tableErrors(): IMetric {
    return this.#table.metricSystemErrorsForOperations({ operations: OPERATIONS, ...FIVE_MINUTES });
  }

  /** Grants reads, and writes to the partitions of counters (`Notes` of domain/ports/table.ts). */
  grantTableReader(fn: ServiceFunction): void {
    fn.allow(READS, this.#table.tableArn);
    this.#allowWrites(fn, NOTES);
    fn.setVariables({ TABLE_NAME: this.#table.tableName });
  }

  /** Grants writes to the partitions that the entry may write, by default all except those of API keys. */
  grantTable(fn: ServiceFunction, entry: Entry): void {
    this.grantTableReader(fn);
    this.#allowWrites(fn, WRITTEN[entry] ?? OTHERS_WRITE);
  }

  /**
   * Allows writes to partitions. A partition is given by the start of its key, which is the leading key of each
   * request.
   */
  #allowWrites(fn: ServiceFunction, partitions: readonly string[]): void {
    const conditions = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...partitions] } };
    fn.addToRolePolicy(new PolicyStatement({ actions: WRITES, resources: [this.#table.tableArn], conditions }));
  }

  grantPageReader(fn: ServiceFunction): void {
    this.#grantObjects(fn, ['s3:GetObject']);
  }

  grantPages(fn: ServiceFunction): void {
    this.#grantObjects(fn, ['s3:GetObject', 's3:PutObject', 's3:DeleteObject']);
  }

  /** Allows actions on objects. Without `s3:ListBucket`, a missing object would answer 403. */
  #grantObjects(fn: ServiceFunction, actions: readonly string[]): void {
    fn.allowInside(this.#pages, this.#pages.bucketArn, actions);
    fn.allow(['s3:ListBucket'], this.#pages.bucketArn);
    fn.setVariables({ PAGES_BUCKET: this.#pages.bucketName });
  }
}

const READS = ['GetItem', 'BatchGetItem', 'Query', 'ConditionCheckItem'].map((action) => `dynamodb:${action}`);
const WRITES = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'].map((action) => `dynamodb:${action}`);
