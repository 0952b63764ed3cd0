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
import type { StoredPage } from '../../../core/pages/stored-page.ts';
import type { PageStore } from '../../../core/ports/page-store.ts';
import { batches } from '../../batches.ts';
import { clientSettings } from '../client-settings.ts';
import { asker, type ServiceOptions } from '../retrying-client.ts';
import { generationOf, keyOf, sitePrefix } from './page-key.ts';

const packed = promisify(gzip);
const unpacked = promisify(gunzip);

/** The fastest: the levels above it take longer and save a tenth at most. */
const GZIP_LEVEL = 1;
const PAGES_AT_ONCE = 16;
/** Of S3, for a list and for a removal. */
const KEYS_PER_REQUEST = 1000;

/** `PageStore` over a bucket of S3: a page is one object, JSON in gzip. */
export function s3PageStore(bucket: string, options: ServiceOptions = {}): PageStore {
  const requests = s3Requests(bucket, options);
  return {
    async put(pages) {
      for (const batch of batches(pages, PAGES_AT_ONCE)) {
        await Promise.all(batch.map(async ({ address, page }) => requests.put(keyOf(address), JSON.stringify(page))));
      }
    },

    async get(addresses) {
      const pages: (StoredPage | undefined)[] = [];
      for (const batch of batches(addresses, PAGES_AT_ONCE)) {
        const texts = await Promise.all(batch.map((address) => requests.get(keyOf(address))));
        pages.push(...texts.map((text) => (text === undefined ? undefined : JSON.parse(text))));
      }
      return pages;
    },

    async remove(addresses) {
      for (const batch of batches(addresses, KEYS_PER_REQUEST)) await requests.remove(batch.map(keyOf));
    },

    async removeBelow(siteId, generation, limit) {
      const most = Math.min(limit, KEYS_PER_REQUEST - 1);
      // Older generations come first, and one key more tells whether any is left.
      const keys = await requests.list(sitePrefix(siteId), most + 1);
      const older = keys.filter((key) => generationOf(siteId, key) < generation);
      await requests.remove(older.slice(0, most));
      return older.length <= most;
    },
  };
}

function s3Requests(Bucket: string, options: ServiceOptions) {
  const { url } = options;
  const ask = asker('S3', options);
  const client = new S3Client({ ...clientSettings(url), forcePathStyle: url !== undefined });
  return {
    async put(Key: string, text: string): Promise<void> {
      const Body = await packed(text, { level: GZIP_LEVEL });
      const content = { Body, ContentType: 'application/json', ContentEncoding: 'gzip' };
      const command = new PutObjectCommand({ Bucket, Key, ...content });
      await ask((abortSignal) => client.send(command, { abortSignal }));
    },

    async get(Key: string): Promise<string | undefined> {
      const bytes = await ask(async (abortSignal) => {
        try {
          const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }), { abortSignal });
          return await Body?.transformToByteArray();
        } catch (error) {
          if (error instanceof NoSuchKey) return undefined;
          throw error;
        }
      });
      return bytes && (await unpacked(bytes)).toString();
    },

    /** The first keys with the prefix, in the order of their bytes. */
    async list(Prefix: string, MaxKeys: number): Promise<readonly string[]> {
      const command = new ListObjectsV2Command({ Bucket, Prefix, MaxKeys });
      const { Contents = [] } = await ask((abortSignal) => client.send(command, { abortSignal }));
      return Contents.flatMap(({ Key }) => Key ?? []);
    },

    async remove(keys: readonly string[]): Promise<void> {
      if (keys.length === 0) return;
      const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true };
      await ask(async (abortSignal) => {
        const { Errors } = await client.send(new DeleteObjectsCommand({ Bucket, Delete }), { abortSignal });
        const error = Errors?.[0];
        if (error !== undefined) throw new PartlyRemoved(`${error.Code}: ${error.Message}`);
      });
    },
  };
}

/** S3 took the request, and left some of the objects: to be repeated. */
class PartlyRemoved extends Error {
  override readonly name = 'SlowDown';
}
