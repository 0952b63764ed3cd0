import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fileOf, sendPage } from '../../../local/server/static-pages.ts';
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

  it('is read again after it has changed, and only then', async () => {
    await writeFile(join(folder.path, 'changed.css'), 'one');
    const first = await fileOf(url, 'changed.css');
    expect(await fileOf(url, 'changed.css')).toBe(first);
    await writeFile(join(folder.path, 'changed.css'), 'another');
    const second = await fileOf(url, 'changed.css');
    expect(String(second?.body)).toBe('another');
    expect(second?.etag).not.toBe(first?.etag);
  });
});

describe('the answer with a page', () => {
  const body = Buffer.from('All work and no play. '.repeat(100));
  let folder: TemporaryFolder;
  const server = createServer(async (request, response) => {
    const page = await fileOf(pathToFileURL(`${folder.path}/`), 'page.html');
    if (page) sendPage(request, response, page, { 'Cache-Control': 'no-cache' });
  });
  let address: string;

  beforeAll(async () => {
    folder = temporaryFolder();
    await writeFile(join(folder.path, 'page.html'), body);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    folder.remove();
  });

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, br;q=0', 'gzip'],
    ['br;q=0.5', 'br'],
    ['identity', null],
    ['', null],
  ])('for `Accept-Encoding: %s` has the encoding %s', async (accepted, encoding) => {
    const answer = await fetch(address, { headers: { 'Accept-Encoding': accepted } });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    if (encoding) expect(Number(answer.headers.get('content-length'))).toBeLessThan(body.length / 5);
    expect(await answer.text()).toBe(String(body));
  });

  it('is 304 for a client that has the page, in whatever form', async () => {
    const etag = (await fetch(address)).headers.get('etag') ?? '';
    for (const known of [etag, `"other", ${etag}`, '*']) {
      const answer = await fetch(address, { headers: { 'If-None-Match': known, 'Accept-Encoding': 'identity' } });
      expect([answer.status, await answer.text(), answer.headers.get('etag')]).toEqual([304, '', etag]);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
    }
    expect((await fetch(address, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  });

  it('to HEAD has the same headers and no body', async () => {
    const [get, head] = [await fetch(address), await fetch(address, { method: 'HEAD' })];
    for (const name of ['etag', 'content-length', 'content-type', 'content-encoding'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
  });
});
