import { basename } from 'node:path';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { CustomResource, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type Service, ServiceFunction } from './service-function.ts';

const PUBLISHING_TIMEOUT = Duration.minutes(2);

/**
 * The bucket of the files for browsers. It holds nothing that a deployment does not bring, so it is deleted with the
 * stack.
 */
export class WebFiles extends Construct {
  readonly #bucket: Bucket;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.#bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const reason = 'Only the edge reads it, which has a log of its own';
    Validations.of(this.#bucket).acknowledge({ id: 'AwsSolutions-S1', reason });
  }

  /** Casts the bucket, because CDK's `Bucket` is no `IBucket` under `exactOptionalPropertyTypes`. */
  get bucket(): IBucket {
    return this.#bucket as IBucket;
  }

  grant(fn: ServiceFunction): void {
    fn.allowInside(this.#bucket, this.#bucket.bucketArn, ['s3:PutObject', 's3:DeleteObject']);
    fn.allow(['s3:ListBucket'], this.#bucket.bucketArn);
  }

  /** Copies the files to the bucket on deployment if they are others than before. Its name tells them apart. */
  publish(service: Service, webFolder: string): void {
    const publisher = new ServiceFunction(this, 'publish', service, {
      entry: 'workers/publish-web-files',
      summary: 'Copies the files for browsers to their bucket on deployment',
      timeout: PUBLISHING_TIMEOUT,
    });
    new CustomResource(this, 'Files', {
      serviceToken: publisher.functionArn,
      serviceTimeout: PUBLISHING_TIMEOUT.plus(Duration.minutes(3)), // Lambda repeats a failed invocation
      properties: { bucket: this.#bucket.bucketName, build: basename(webFolder) },
    });
  }
}
