import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApiKey } from '../../lambdas/core/access/api-key.ts';
import { createOrganisation } from '../../lambdas/core/access/organisation.ts';
import { buildBundle, type Entry, entries, PORTS } from '../../lib/bundle.ts';
import { hasDynoxide } from '../engines/engines.ts';
import { openTable } from '../engines/open-table.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const bundle = buildBundle();
const ORG = '01890000-0000-7000-8000-000000000001';
const KEY = '01890000-0000-7000-8000-000000000002';

describe('what is granted', () => {
  it.each<[Entry, readonly string[]]>([
    ['api/get-site', ['table']],
    ['api/start-crawl', ['table', 'queue']],
    ['api/search-site', ['table', 'page-index', 'embedder']],
    ['workers/crawl-slice', PORTS],
    ['workers/watchdog', ['table', 'queue']],
  ])('%s uses %p', (entry, ports) => {
    expect(bundle.portsOf(entry)).toEqual(ports);
  });
});

describe('what is loaded at start', () => {
  const light = entries.filter((entry) => bundle.portsOf(entry).join() === 'table');

  it.each(light)('has at most 350 kB in %s, which touches only the table', (entry) => {
    expect(bundle.bytesAtStart(entry)).toBeLessThanOrEqual(350_000);
  });
});

describe('the code of the functions', () => {
  let folder: TemporaryFolder;
  beforeAll(() => {
    folder = temporaryFolder();
    bundle.writeTo(folder.path);
  });
  afterAll(() => folder.remove());

  it('has a file for each, where its handler is looked for, and the table of embeddings where code looks for it', () => {
    const files = readdirSync(folder.path, { recursive: true });
    for (const entry of entries) expect(files).toContain(join('lambdas', `${entry}.mjs`));
    expect(files).toContain(join('embedder', 'english-256.sem'));
  });

  it('has nothing of the laptop’s database in it', () => {
    const files = readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.mjs'),
    );
    const local = files.filter((file) =>
      readFileSync(join(folder.path, file), 'utf8').includes('PRAGMA application_id'),
    );
    expect(local).toEqual([]);
  });

  (hasDynoxide() || process.env.DYNAMODB_URL ? it : it.skip)(
    'answers requests of the gateway and batches of a queue',
    async () => {
      const opened = await openTable();
      try {
        const { table } = await import('../../lambdas/adapters/aws/table.ts');
        await createOrganisation({ orgId: ORG, name: 'Test', plan: 'pro' }, { table, clock: Date.now });
        const key = { orgId: ORG, keyId: KEY, name: 'test', role: 'member' as const, secret: 'x'.repeat(40) };
        const token = await createApiKey(key, { table, clock: Date.now });
        const ask = (headers: object) =>
          answerOf(folder.path, 'api/list-sites', {
            httpMethod: 'GET',
            path: '/api/sites',
            headers,
            pathParameters: null,
            queryStringParameters: null,
            body: null,
            isBase64Encoded: false,
          });
        expect(await ask({})).toMatchObject({ statusCode: 401 });
        expect(await ask({ Authorization: `Bearer ${token}` })).toMatchObject({
          statusCode: 200,
          body: '{"sites":[]}',
        });
        const message = { siteId: ORG, jobId: KEY, slice: 0 };
        const bodies = ['not a message', JSON.stringify(message)];
        const Records = bodies.map((body, place) => ({ messageId: `${place}`, body }));
        const failures = { batchItemFailures: [{ itemIdentifier: '0' }, { itemIdentifier: '1' }] }; // its group stops there
        expect(await answerOf(folder.path, 'workers/crawl-dead', { Records })).toEqual(failures);
        expect(await answerOf(folder.path, 'workers/crawl-dead', { Records: Records.slice(1) })).toEqual({
          batchItemFailures: [],
        });
      } finally {
        await opened.close();
      }
    },
  );
});

/** What a fresh process answers that has the function's code and variables, as in AWS. */
async function answerOf(folder: string, entry: Entry, event: object): Promise<unknown> {
  const url = pathToFileURL(join(folder, 'lambdas', `${entry}.mjs`)).href;
  const script = `const { handler } = await import('${url}');
    console.log(JSON.stringify(await handler(${JSON.stringify(event)}, {})));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, QUEUE_URL_PREFIX: 'http://127.0.0.1:9/queue-' },
  });
  return JSON.parse(stdout);
}
