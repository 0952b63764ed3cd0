import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { surfaceDocument } from '../../lambdas/runtime/openapi-surface.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
/** The generator has a separate TypeScript, because it needs the compiler as a library. */
const { resolve } = createRequire(join(root, 'test/client/package.json'));

const CLIENTS = `
import createClient from 'openapi-fetch';
import type { paths as Api } from './api.ts';
import type { paths as Public } from './v1.ts';

const path = { siteId: 'a' };
const api = createClient<Api>({ baseUrl: 'http://127.0.0.1:8787/api' });
const visitor = createClient<Public>({ baseUrl: 'http://127.0.0.1:8787/v1' });
`;

const accepted = [
  `await visitor.POST('/public/sites/{siteId}/search', { params: { path }, body: { query: 'x' } });`,
  `await visitor.GET('/public/sites/{siteId}/search', { params: { path, query: { q: 'x' } } });`,
  `await visitor.POST('/public/sites/{siteId}/chat', { params: { path }, body: { message: 'x' } });`,
  `await api.POST('/sites', { body: { name: 'x', baseUrl: 'https://example.com/' } });`,
  `await api.PUT('/sites/{siteId}', { params: { path }, body: { crawlerConfig: { sitemaps: [{ url: '/s.xml' }] } } });`,
  `await api.POST('/sites/{siteId}/pages', { params: { path }, body: { pages: [{ url: '/x', content: 'x' }] } });`,
  `await api.POST('/sites/{siteId}/crawl', { params: { path } });`,
  `await api.POST('/keys', { body: { name: 'x' } });`,
  `(await visitor.POST('/public/sites/{siteId}/chat', { params: { path }, body: { query: 'x' } })).data?.answer.trim();`,
  `for (const site of (await api.GET('/sites')).data?.sites ?? []) site.pageCount.toFixed();`,
];

const refused = [
  `await api.POST('/public/sites/{siteId}/search', { params: { path }, body: { query: 'x' } });`,
  `await visitor.GET('/sites');`,
  `await visitor.POST('/public/sites/{siteId}/search', { params: { path }, body: { limit: 3 } });`,
  `await visitor.POST('/public/sites/{siteId}/search', { params: { path }, body: { query: 1 } });`,
  `await api.POST('/sites', { body: { name: 'x' } });`,
  `await api.POST('/sites', { body: { name: 'x', baseUrl: 'https://example.com/', crawlerConfig: { ` +
    `maxPages: '5' } } });`,
  `await api.POST('/sites/{siteId}/pages', { params: { path }, body: { pages: [{ url: '/x', contents: 'x' }] } });`,
  `await api.POST('/sites/{siteId}/pages', { params: { path }, body: { pages: ['/x'] } });`,
  `await api.DELETE('/sites');`,
];

let folder: TemporaryFolder;

beforeAll(async () => {
  folder = temporaryFolder();
  const generator = join(resolve('openapi-typescript'), '../../bin/cli.js');
  const document = JSON.parse(await readFile(join(root, 'docs/openapi.json'), 'utf8'));
  for (const name of ['api', 'v1'] as const) {
    const file = join(folder.path, `${name}.json`);
    await writeFile(file, JSON.stringify(surfaceDocument(document, `/${name}`)));
    await run(process.execPath, [generator, file, '-o', join(folder.path, `${name}.ts`)]);
  }
  await symlink(dirname(dirname(dirname(resolve('openapi-fetch')))), join(folder.path, 'node_modules'));
  const options = {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
    types: [],
    lib: ['es2022', 'dom'],
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  };
  await writeFile(
    join(folder.path, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['calls.ts'] }),
  );
}, 60_000);

afterAll(() => folder.remove());

/** The calls that do not compile. */
async function faultyAmong(calls: readonly string[]): Promise<readonly string[]> {
  await writeFile(join(folder.path, 'calls.ts'), CLIENTS + calls.join('\n'));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [compiler, '-p', folder.path, '--pretty', 'false']).catch(
    (error: { readonly stdout: string }) => error,
  );
  const first = CLIENTS.split('\n').length;
  const lines = [...stdout.matchAll(/calls\.ts\((\d+),\d+\): error/g)].map(([, line]) => Number(line) - first);
  if (stdout !== '' && lines.length === 0) throw new Error(stdout);
  return [...new Set(lines)].map((line) => calls[line] ?? stdout);
}

describe('a client that is generated from the OpenAPI documents', () => {
  it('compiles calls that leave out what has a default', async () => {
    expect(await faultyAmong(accepted)).toEqual([]);
  }, 60_000);

  it('refuses calls of the other surface, without a required field, and of another type', async () => {
    expect(await faultyAmong(refused)).toEqual(refused);
  }, 60_000);
});
