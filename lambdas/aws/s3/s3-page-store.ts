import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { batches } from '../../domain/batches.ts';
import type { PageStore, StoredPage } from '../../domain/ports/page-store.ts';
import { clientSettings } from '../client-settings.ts';
import { retryingClient, type ServiceOptions } from '../retrying-client.ts';
import { addressOf, generationOf, objectKey, objectPrefix, sitePrefix } from './page-key.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** The fastest level: higher ones save at most 10 % of the bytes. */
const GZIP_LEVEL = 1;
const PARALLEL_PAGES = 16;
/** S3's limit for ListObjectsV2 and DeleteObjects. */
const KEYS_PER_REQUEST = 1000;

export function s3PageStore(bucket: string, options: ServiceOptions = {}): PageStore {
  const requests = s3Requests(bucket, options);
  return {
    async put(pages) {
      for (const batch of batches(pages, PARALLEL_PAGES)) {
        await Promise.all(
          batch.map(async ({ address, page }) => requests.put(objectKey(address), JSON.stringify(page))),
        );
      }
    },

    async get(addresses) {
      const pages: (StoredPage | undefined)[] = [];
      for (const batch of batches(addresses, PARALLEL_PAGES)) {
        const texts = await Promise.all(batch.map((address) => requests.get(objectKey(address))));
        pages.push(...texts.map((text) => (text === undefined ? undefined : JSON.parse(text))));
      }
      return pages;
    },

    async remove(addresses) {
      for (const batch of batches(addresses, KEYS_PER_REQUEST)) await requests.remove(batch.map(objectKey));
    },

    async list(site, { limit, after }) {
      const prefix = objectPrefix(site);
      const keys = await requests.list(prefix, limit, after === undefined ? undefined : prefix + after);
      const last = keys.at(-1);
      const isFull = keys.length === limit;
      return {
        items: keys.map((key) => addressOf(site, key)),
        ...(isFull && last !== undefined && { next: last.slice(prefix.length) }),
      };
    },

    async removeBelow(siteId, generation, limit) {
      const most = Math.min(limit, KEYS_PER_REQUEST - 1);
      // S3 lists keys by generation. One key more than the limit tells whether any old page is left.
      const keys = await requests.list(sitePrefix(siteId), most + 1);
      const older = keys.filter((key) => generationOf(siteId, key) < generation);
      await requests.remove(older.slice(0, most));
      return older.length <= most;
    },
  };
}

function s3Requests(Bucket: string, options: ServiceOptions) {
  const { url } = options;
  const request = retryingClient('S3', options);
  const client = new S3Client({ ...clientSettings(url), forcePathStyle: url !== undefined });
  return {
    async put(Key: string, text: string): Promise<void> {
      const Body = await compress(text, { level: GZIP_LEVEL });
      const content = { Body, ContentType: 'application/json', ContentEncoding: 'gzip' };
      const command = new PutObjectCommand({ Bucket, Key, ...content });
      await request((abortSignal) => client.send(command, { abortSignal }));
    },

    async get(Key: string): Promise<string | undefined> {
      const bytes = await request(async (abortSignal) => {
        try {
          const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }), { abortSignal });
          return await Body?.transformToByteArray();
        } catch (error) {
          if (error instanceof NoSuchKey) return undefined;
          throw error;
        }
      });
      return bytes && (await decompress(bytes)).toString();
    },

    async list(Prefix: string, MaxKeys: number, StartAfter?: string): Promise<readonly string[]> {
      const command = new ListObjectsV2Command({ Bucket, Prefix, MaxKeys, ...(StartAfter && { StartAfter }) });
      const { Contents = [] } = await request((abortSignal) => client.send(command, { abortSignal }));
      return Contents.flatMap(({ Key }) => Key ?? []);
    },

    async remove(keys: readonly string[]): Promise<void> {
      if (keys.length === 0) return;
      const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true };
      await request(async (abortSignal) => {
        const { Errors } = await client.send(new DeleteObjectsCommand({ Bucket, Delete }), { abortSignal });
        const error = Errors?.[0];
        if (error !== undefined) throw new PartialDelete(`${error.Code}: ${error.Message}`);
      });
    },
  };
}

/** Thrown if S3 deleted only some of the objects. `retryingClient` recognises the name and repeats the request. */
class PartialDelete extends Error {
  override readonly name = 'SlowDown';
}
