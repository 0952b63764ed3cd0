import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fileAt, fileHeaders, sendPage, type WebFiles, webFilesOf } from '../../../local/server/static-pages.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';

describe('a static page', () => {
  let folder: TemporaryFolder;
  let files: WebFiles;

  beforeAll(async () => {
    folder = temporaryFolder();
    await mkdir(join(folder.path, 'app/assets'), { recursive: true });
    await writeFile(join(folder.path, 'page.html'), 'text');
    await writeFile(join(folder.path, 'app/index.html'), 'dashboard');
    await writeFile(join(folder.path, 'app/assets/a.js'), 'script');
    files = await webFilesOf(pathToFileURL(`${folder.path}/`));
  });
  afterAll(() => folder.remove());

  it('is the file at the path of a service', async () => {
    expect(String((await fileAt('/page.html', files))?.body)).toBe('text');
    expect(String((await fileAt('/app/assets/a.js', files))?.body)).toBe('script');
  });

  it('is absent if there is no such file, or its path would leave the folder', async () => {
    for (const path of [
      '/other.html',
      '/../page.html',
      '/app/../page.html',
      '/app/assets/b.js',
      '//page.html',
      '/app/b.js',
    ])
      expect(await fileAt(path, files)).toBeUndefined();
  });

  it('is the dashboard for each of its screens', async () => {
    for (const path of ['/app', '/app/', '/app/sites/1'])
      expect(String((await fileAt(path, files))?.body)).toBe('dashboard');
    expect(await fileAt('/apple', files)).toBeUndefined();
  });

  it('may be kept for good by browsers if its name has a hash, and loaded by other websites if it is a widget', () => {
    const headersOf = (path: string) => {
      const headers = fileHeaders(path);
      return [headers['Cache-Control'], headers['Access-Control-Allow-Origin']];
    };
    const forGood = 'public, max-age=31536000, immutable';
    expect(headersOf('/widgets/modal-fu2Zp3vh.js')).toEqual([forGood, '*']);
    expect(headersOf('/v1/site-search.js')).toEqual(['public, max-age=300', '*']);
    expect(headersOf('/app/assets/index-BU3Ybba_.js')).toEqual([forGood, undefined]);
    for (const path of ['/docs/openapi-api.json', '/index.html', '/favicon.ico'])
      expect(headersOf(path)).toEqual(['no-cache', undefined]);
  });
});

describe('the answer with a page', () => {
  const body = Buffer.from('All work and no play. '.repeat(100));
  let folder: TemporaryFolder;
  const server = createServer(async (request, response) => {
    const page = await fileAt('/page.html', await webFilesOf(pathToFileURL(`${folder.path}/`)));
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
