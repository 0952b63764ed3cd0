import { DeleteObjectsCommand, PutObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { batches } from '../domain/batches.ts';
import { env } from '../env.ts';
import { clientSettings } from './client-settings.ts';
import { retryingClient } from './retrying-client.ts';

/** The bucket of the files for browsers. */
export type WebBucket = {
  readonly put: (file: WebFile) => Promise<void>;
  readonly list: () => Promise<readonly string[]>;
  readonly remove: (names: readonly string[]) => Promise<void>;
};

export type WebFile = {
  /** The path at the service, without its first slash. */
  readonly name: string;
  readonly body: Uint8Array;
  readonly contentType: string;
  readonly cacheControl: string;
};

/** S3's limit for DeleteObjects. */
const KEYS_PER_REQUEST = 1000;

export function s3WebBucket(Bucket: string): WebBucket {
  const url = env.S3_URL;
  const request = retryingClient('S3', { url });
  const client = new S3Client({ ...clientSettings(url), forcePathStyle: url !== undefined });
  return {
    async put({ name: Key, body: Body, contentType: ContentType, cacheControl: CacheControl }) {
      const command = new PutObjectCommand({ Bucket, Key, Body, ContentType, CacheControl });
      await request((abortSignal) => client.send(command, { abortSignal }));
    },
    list: () =>
      request(async (abortSignal) => {
        const names: string[] = [];
        for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket }, { abortSignal }))
          names.push(...Contents.flatMap(({ Key }) => Key ?? []));
        return names;
      }),
    async remove(names) {
      for (const keys of batches(names, KEYS_PER_REQUEST)) {
        const Objects = keys.map((Key) => ({ Key }));
        const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } });
        const { Errors: [error] = [] } = await request((abortSignal) => client.send(command, { abortSignal }));
        if (error) throw new Error(`S3 did not remove ${error.Key}: ${error.Message}`);
      }
    },
  };
}
