import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { setAwsEnvironment } from './aws-environment.ts';
import { engineUrl } from './engine-url.ts';

/** Creates a bucket on the S3 at `S3_URL`, which is kept, and sets the environment for adapters imported later. */
export async function openBucket(): Promise<void> {
  const endpoint = engineUrl('s3mock');
  const Bucket = `test-${randomUUID()}`;
  setAwsEnvironment({ S3_URL: endpoint, PAGES_BUCKET: Bucket });
  await new S3Client({ endpoint, forcePathStyle: true }).send(new CreateBucketCommand({ Bucket }));
}
