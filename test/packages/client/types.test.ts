import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SOURCE = join(ROOT, 'packages/client/src');

const HEAD = `
import { createAdmin } from '${SOURCE}/admin.ts';
import { createClient, docsearchClient, SearchError } from '${SOURCE}/site-search.ts';
const admin = createAdmin({ api: '', key: '' });
const client = createClient({ api: '', site: 's' });
const path = { siteId: 's' };
const error = new SearchError('not_found', '');
`;

const accepted = [
  `(await admin('GET /sites')).sites[0]?.pageCount.toFixed();`,
  `(await admin('GET /sites', { signal: AbortSignal.timeout(5) })).sites;`,
  `(await admin('POST /sites', { body: { name: 'x', baseUrl: 'https://a.example' } })).siteId.trim();`,
  `(await admin('POST /sites/{siteId}/crawl', { path })).jobId.trim();`,
  `(await admin('POST /sites/{siteId}/crawl', { path, body: { maxPages: 3 } })).jobId.trim();`,
  `(await admin('GET /sites/{siteId}/pages', { path, query: { limit: 3 } })).items.length.toFixed();`,
  `(await admin('DELETE /groups/{groupId}', { path: { groupId: 'g' } })) satisfies undefined;`,
  `(await admin('POST /public/sites/{siteId}/search', { path, body: { query: 'x' } })).results[0]?.score.toFixed();`,
  `(await client.search('x', { filters: { tags: ['a'] } })).results[0]?.section?.anchor.trim();`,
  `(await createClient({ api: '', group: 'g' }).search('x')).results[0]?.siteName.trim();`,
  `for await (const event of client.chat('x')) if (event.type === 'done') event.answer.trim();`,
  `if (error.code === 'rate_limited' || error.code === 'unreachable') error.retryAfter?.toFixed();`,
  `docsearchClient({ api: '', group: 'g' })().search([{ query: 'x' }]);`,
];

const refused = [
  `await admin('GET /site');`,
  `await admin('POST /sites/{siteId}');`,
  `await admin('GET /sites/{siteId}');`,
  `await admin('GET /sites/{siteId}', { path: { site: 's' } });`,
  `await admin('POST /sites', { body: { name: 'x' } });`,
  `await admin('GET /sites/{siteId}/pages', { path, query: { limit: 'x' } });`,
  `(await admin('GET /sites')).pages;`,
  `createAdmin({ api: '' });`,
  `createClient({ api: '' });`,
  `createClient({ api: '', site: 's', group: 'g' });`,
  `(await client.search('x')).results[0]?.siteName;`,
  `await client.search('x', { limits: 3 });`,
  `await client.recordClick({ query: 'x', url: 'u' });`,
  `for await (const event of client.chat('x')) if (event.type === 'token') event.answer;`,
  `if (error.code === 'no_such_code') throw error;`,
];

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = temporaryFolder();
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: [],
    lib: ['es2022', 'dom', 'dom.iterable'],
  };
  await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['calls.mts'] }));
});
afterAll(() => folder.remove());

/** The calls that do not compile. */
async function faultyAmong(calls: readonly string[]): Promise<readonly string[]> {
  await writeFile(join(folder.path, 'calls.mts'), HEAD + calls.join('\n'));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [
    compiler,
    '-p',
    folder.path,
    '--pretty',
    'false',
  ]).catch((error: { readonly stdout: string }) => error);
  const first = HEAD.split('\n').length;
  const lines = Array.from(stdout.matchAll(/calls\.mts\((\d+),\d+\): error/g), ([, line]) => Number(line) - first);
  if (stdout !== '' && lines.length === 0) throw new Error(stdout);
  return [...new Set(lines)].map((line) => calls[line] ?? stdout);
}

it('the types of the client accept what the API does, and know its answers', async () => {
  expect(await faultyAmong(accepted)).toEqual([]);
});

it('the types of the client refuse unknown operations, fields and codes', async () => {
  expect(await faultyAmong(refused)).toEqual(refused);
});
