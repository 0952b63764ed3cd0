import { gzipSync } from 'node:zlib';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { s3EdgeLogs } from '../../lambdas/aws/edge-logs.ts';
import type { EdgeLogs } from '../../lambdas/domain/analytics/edge-hits.ts';
import { openBucket } from '../engines/open-bucket.ts';

describe('the log files of the edge on S3', () => {
  let edgeLogs: EdgeLogs;
  const put = async (Key: string, text: string) => {
    const { S3_URL: endpoint = '', PAGES_BUCKET: Bucket = '' } = process.env;
    const client = new S3Client({ endpoint, forcePathStyle: true });
    await client.send(new PutObjectCommand({ Bucket, Key, Body: gzipSync(text) }));
  };
  beforeAll(async () => {
    await openBucket();
    edgeLogs = s3EdgeLogs(process.env.PAGES_BUCKET ?? '', process.env.S3_URL);
  });

  it('log files of the edge are read and deleted; a missing file has no lines', async () => {
    const key = 'E2EXAMPLE.2026-11-24-21.d111111a.gz';
    await put(key, '#Version: 1.0\n');
    expect(await edgeLogs.read(key)).toBe('#Version: 1.0\n');
    await edgeLogs.remove(key);
    expect(await edgeLogs.read(key)).toBeUndefined();
    await edgeLogs.remove(key);
  });
});
