import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { WebBucket, WebFile } from '../../lambdas/aws/web-bucket.ts';
import { publishWebFiles, removeWebFiles } from '../../lambdas/runtime/publish-web-files.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

/** A bucket in memory. Its keys are in the order in which they were put first. */
class MemoryBucket implements WebBucket {
  readonly files = new Map<string, Omit<WebFile, 'name'>>();
  put = async ({ name, ...file }: WebFile) => void this.files.set(name, file);
  list = async () => [...this.files.keys()];
  remove = async (names: readonly string[]) => {
    for (const name of names) this.files.delete(name);
  };
}

describe('publishing the files for browsers', () => {
  let folder: TemporaryFolder;
  let bucket: MemoryBucket;
  const write = (name: string, text = name): void => {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    writeFileSync(join(folder.path, name), text);
  };
  const publish = () => publishWebFiles(pathToFileURL(`${folder.path}/`), bucket);

  beforeEach(() => {
    folder = temporaryFolder();
    bucket = new MemoryBucket();
    for (const name of ['index.html', 'docs/openapi.json', 'v1/site-search.js']) write(name);
    for (const name of ['widgets/modal-fu2Zp3vh.js', 'app/assets/index-BU3Ybba_.css']) write(name);
  });
  afterEach(() => folder.remove());

  it('gives each its type and how long it is kept', async () => {
    await publish();
    const facts = [...bucket.files].map(([name, { body, contentType, cacheControl }]) => {
      expect(String(body)).toBe(name);
      return [name, contentType, cacheControl];
    });
    const forGood = 'public, max-age=31536000, immutable';
    expect(facts.toSorted()).toEqual([
      ['app/assets/index-BU3Ybba_.css', 'text/css; charset=utf-8', forGood],
      ['docs/openapi.json', 'application/json; charset=utf-8', 'no-cache'],
      ['index.html', 'text/html; charset=utf-8', 'no-cache'],
      ['v1/site-search.js', 'text/javascript; charset=utf-8', 'public, max-age=300'],
      ['widgets/modal-fu2Zp3vh.js', 'text/javascript; charset=utf-8', forGood],
    ]);
  });

  it('puts files with a hash before those that name them, and none of these if one of the former fails', async () => {
    await publish();
    const hashed = [...bucket.files.keys()].slice(0, 2).toSorted();
    expect(hashed).toEqual(['app/assets/index-BU3Ybba_.css', 'widgets/modal-fu2Zp3vh.js']);

    bucket = new MemoryBucket();
    const { put } = bucket;
    bucket.put = async (file) =>
      file.name.startsWith('app/') ? Promise.reject(new Error('Access Denied')) : put(file);
    await expect(publish()).rejects.toThrow('Access Denied');
    expect(bucket.files.has('index.html')).toBe(false);
  });

  it('keeps earlier files with a hash, for pages that are open, and removes others that are gone', async () => {
    await publish();
    for (const name of ['widgets/modal-fu2Zp3vh.js', 'docs/openapi.json']) rmSync(join(folder.path, name));
    write('widgets/modal-Ab12Cd34.js');
    write('index.html', 'newer');
    await publish();
    expect([...bucket.files.keys()].toSorted()).toEqual([
      ...['app/assets/index-BU3Ybba_.css', 'index.html', 'v1/site-search.js'],
      ...['widgets/modal-Ab12Cd34.js', 'widgets/modal-fu2Zp3vh.js'],
    ]);
    expect(String(bucket.files.get('index.html')?.body)).toBe('newer');
  });

  it('is undone with the stack', async () => {
    await publish();
    await removeWebFiles(bucket);
    expect(bucket.files.size).toBe(0);
  });
});
