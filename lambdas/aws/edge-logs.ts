import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { DeleteObjectCommand, GetObjectCommand, NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import type { EdgeLogs } from '../domain/analytics/edge-hits.ts';
import { env } from '../env.ts';
import { clientSettings } from './client-settings.ts';
import { requireEnv } from './require-env.ts';
import { retryingClient } from './retrying-client.ts';

const decompress = promisify(gunzip);

/** Well above the size of a log file of CloudFront. */
const MAX_TEXT_BYTES = 400_000_000;
/** Longer than for other requests, because a log file may be large. */
const LIMIT_MS = 30_000;

/** Reads the bucket to which CloudFront delivers its standard logs. */
export function s3EdgeLogs(Bucket: string, url: string | undefined): EdgeLogs {
  const request = retryingClient('S3', { url, limitMs: LIMIT_MS });
  const client = new S3Client({ ...clientSettings(url), forcePathStyle: url !== undefined });
  return {
    async read(Key) {
      const bytes = await request(async (abortSignal) => {
        try {
          const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }), { abortSignal });
          return await Body?.transformToByteArray();
        } catch (error) {
          if (error instanceof NoSuchKey) return undefined;
          throw error;
        }
      });
      return bytes && (await decompress(bytes, { maxOutputLength: MAX_TEXT_BYTES })).toString();
    },
    async remove(Key) {
      const command = new DeleteObjectCommand({ Bucket, Key });
      await request((abortSignal) => client.send(command, { abortSignal }));
    },
  };
}

/** Opens the logs at the first use: a laptop has no CDN and no bucket of its logs. */
export const openEdgeLogs = (): EdgeLogs => s3EdgeLogs(requireEnv('EDGE_LOGS_BUCKET'), env.S3_URL);
