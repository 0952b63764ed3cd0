import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheControlOf, contentTypeOf, isHashed } from '../../web/headers.ts';
import type { WebBucket } from '../aws/web-bucket.ts';
import { batches } from '../domain/batches.ts';

const PARALLEL_FILES = 8;

/**
 * Copies the files of a folder to the bucket. Those with a hash in their name come first, so that no page and no script
 * names a file that is not there yet. Files with a hash of earlier versions stay, for pages that are open.
 */
export async function publishWebFiles(folder: URL, bucket: WebBucket): Promise<void> {
  const root = fileURLToPath(folder);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const names = files.map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll(sep, '/'));
  const put = async (name: string) =>
    bucket.put({
      name,
      body: await readFile(join(root, name)),
      contentType: contentTypeOf(name),
      cacheControl: cacheControlOf(name),
    });
  for (const some of [names.filter(isHashed), names.filter((name) => !isHashed(name))])
    for (const batch of batches(some, PARALLEL_FILES)) await Promise.all(batch.map(put));
  const there = await bucket.list();
  await bucket.remove(there.filter((name) => !isHashed(name) && !names.includes(name)));
}

/** Removes everything, because a bucket with files cannot be deleted. */
export const removeWebFiles = async (bucket: WebBucket): Promise<void> => bucket.remove(await bucket.list());
