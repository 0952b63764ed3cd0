import type { S3Backend } from '../aws/s3-backend.ts';
import type { Access } from '../iam/access.ts';
import type { EdgeAnswer } from './cache.ts';

const CLOUDFRONT = { service: 'cloudfront.amazonaws.com' };
const DENIED: EdgeAnswer = { status: 403, headers: {}, body: Buffer.from('AccessDenied') };

export type BucketOriginParts = { readonly access: Access; readonly s3: S3Backend; readonly distributionArn: string };

/** Returns an object as S3 answers it to CloudFront. A missing one is 404 only for callers that may list the bucket. */
export async function readBucket(
  { host, method, path }: { readonly host: string; readonly method: string; readonly path: string },
  { access, s3, distributionArn }: BucketOriginParts,
): Promise<EdgeAnswer> {
  const arn = `arn:aws:s3:::${host.split('.s3.')[0]}`;
  const context = { 'aws:SourceArn': [distributionArn] };
  if (!access.allows(CLOUDFRONT, { action: 's3:GetObject', resource: `${arn}${path}`, context })) return DENIED;
  const answer = await s3.answer({ host, method, path, target: '', body: Buffer.alloc(0) }, {});
  if (answer.status !== 404) return answer;
  return access.allows(CLOUDFRONT, { action: 's3:ListBucket', resource: arn, context }) ? answer : DENIED;
}
