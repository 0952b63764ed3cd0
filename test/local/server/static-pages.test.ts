import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fileOf } from '../../../local/server/static-pages.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';

describe('a static page', () => {
  let folder: TemporaryFolder;
  let url: URL;

  beforeAll(async () => {
    folder = temporaryFolder();
    url = pathToFileURL(`${folder.path}/`);
    await writeFile(join(folder.path, 'page.html'), 'text');
    await mkdir(join(folder.path, 'unreadable.html'));
  });
  afterAll(() => folder.remove());

  it('is read from its folder', async () => {
    expect(String((await fileOf(url, 'page.html'))?.body)).toBe('text');
  });

  it('is absent if there is no such file, or its name would leave the folder', async () => {
    expect(await fileOf(url, 'other.html')).toBeUndefined();
    expect(await fileOf(url, '../page.html')).toBeUndefined();
  });

  it('fails if the file is there and cannot be read', async () => {
    await expect(fileOf(url, 'unreadable.html')).rejects.toThrow('EISDIR');
  });
});
