import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PdfReader } from '../../lambdas/connectors/pdf/pdf-reader.ts';
import { createApiKey } from '../../lambdas/domain/sites/access/api-key.ts';
import { createOrganisation } from '../../lambdas/domain/sites/access/organisation.ts';
import { ASSETS, buildBundle } from '../../lib/bundle.ts';
import { type Entry, entries, permissionsOf } from '../../lib/entries.ts';
import { hasDynoxide } from '../engines/engines.ts';
import { openTable } from '../engines/open-table.ts';
import { pdfFile } from '../support/pdf-file.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const bundle = buildBundle();
const ORG = '01890000-0000-7000-8000-000000000001';
const KEY = '01890000-0000-7000-8000-000000000002';

describe('the code loaded at start', () => {
  /** Functions that load more: the fallback knows all routes, and the others send requests. */
  const heavy: readonly Entry[] = ['api/fallback', 'api/test-url', 'api/test-webhook'];
  const usesOnlyTable = (entry: Entry): boolean => {
    const { uses, sends } = permissionsOf(entry);
    return sends.length === 0 && uses.every((port) => port === 'table-reader' || port === 'table');
  };
  const light = entries.filter((entry) => !heavy.includes(entry) && usesOnlyTable(entry));

  it.each(light)('of %s, which uses only the table, is at most 380 kB', (entry) => {
    expect(bundle.bytesAtStart(entry)).toBeLessThanOrEqual(380_000);
  });

  it('the code of a search is at most 525 kB, and has no stemmer', () => {
    expect(bundle.bytesAtStart('api/search-site')).toBeLessThanOrEqual(525_000);
    expect([...bundle.partsAtStart('api/search-site').keys()]).not.toContain('@orama/stemmers');
  });

  const heavyParts = ['@orama/stemmers', 'undici', 'openai', 'connectors/embedder'];
  it.each<[Entry, number, readonly string[]]>([
    ['workers/crawl-dead', 350_000, [...heavyParts, '@opensearch-project/opensearch', '@aws-sdk/client-s3']],
    ['api/list-pages', 480_000, [...heavyParts, 'text/extraction', '@aws-sdk/client-s3']],
    ['workers/clean-up-site', 660_000, heavyParts],
  ])('of %s is at most %d bytes, without what it does not need', (entry, most, others) => {
    expect(bundle.bytesAtStart(entry)).toBeLessThanOrEqual(most);
    const parts = bundle.partsAtStart(entry);
    expect(others.filter((part) => parts.has(part))).toEqual([]);
  });

  it('the code of the fallback, which knows the routes of all resources, is at most 430 kB', () => {
    expect(bundle.bytesAtStart('api/fallback')).toBeLessThanOrEqual(430_000);
  });
});

describe('the code of the functions', () => {
  let folder: TemporaryFolder;
  beforeAll(() => {
    folder = temporaryFolder();
    for (const asset of ASSETS) bundle.writeTo(folder.path, asset);
  });
  afterAll(() => folder.remove());

  it('is where Lambda looks for each handler, and the embedding table is where the code looks for it', () => {
    const files = readdirSync(folder.path, { recursive: true });
    for (const entry of entries) expect(files).toContain(join('lambdas', `${entry}.mjs`));
    expect(files).toContain(join('embedder', 'english-256.sem'));
  });

  it('has the stemmers of all languages beside it, as CommonJS alone', () => {
    const files = readdirSync(join(folder.path, 'node_modules/@orama/stemmers/dist'));
    expect(files).toContain('de.cjs');
    expect(files.filter((file) => !file.endsWith('.cjs'))).toEqual([]);
  });

  it('has a browser only beside the function that shows pages, within the 250 MB of Lambda', () => {
    const browser = temporaryFolder();
    const service = temporaryFolder();
    bundle.writeTo(browser.path, 'browser');
    bundle.writeTo(service.path, 'service');
    const codeIn = ({ path }: TemporaryFolder) => readdirSync(join(path, 'lambdas', 'workers'));
    expect(codeIn(browser)).toEqual(['render-slice.mjs']);
    expect(codeIn(service)).not.toContain('render-slice.mjs');
    expect(readdirSync(join(service.path, 'node_modules'))).toEqual(['@orama']);
    expect(bytesIn(browser.path)).toBeLessThan(150_000_000);
    for (const folder of [browser, service]) folder.remove();
  });

  it('has beside the function that publishes files for browsers nothing but its code, of at most 500 kB', () => {
    const publisher = temporaryFolder();
    bundle.writeTo(publisher.path, 'publisher');
    expect(readdirSync(publisher.path)).toEqual(['lambdas']);
    expect(readdirSync(join(publisher.path, 'lambdas', 'workers'))).toEqual(['publish-web-files.mjs']);
    expect(bytesIn(publisher.path)).toBeLessThan(500_000);
    publisher.remove();
  });

  it('the thread of PDFs is in the bundle, and reads a file there', async () => {
    const script = pathToFileURL(join(folder.path, 'lambdas/connectors/pdf/pdf-thread.mjs'));
    const reader = new PdfReader({ read: async () => undefined }, script);
    const body = pdfFile({ pages: [[{ text: 'Rye is sown in autumn.' }]] });
    const content = await reader.read({ url: 'https://a.example/rye.pdf', contentType: 'application/pdf', body });
    await reader.close();
    expect(content).toMatchObject({ blocks: [{ text: 'Rye is sown in autumn.' }] });
    expect(readdirSync(join(folder.path, 'lambdas/connectors/pdf/cmaps'))).toContain('UniJIS-UTF16-H.bcmap');
  });

  it('functions and shared files find the thread of PDFs by its path', () => {
    const files = readdirSync(folder.path, { recursive: true, encoding: 'utf8' });
    const naming = files.filter(
      (file) => file.endsWith('.mjs') && readFileSync(join(folder.path, file), 'utf8').includes('pdf/pdf-thread.'),
    );
    expect(naming.length).toBeGreaterThan(0);
    for (const file of naming) expect(file).toMatch(/^lambdas\/(?:shared|workers|api)\/[^/]+\.mjs$/);
  });

  it('excludes the local SQLite adapters', () => {
    const files = readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.startsWith('lambdas') && name.endsWith('.mjs'),
    );
    const local = files.filter((file) =>
      readFileSync(join(folder.path, file), 'utf8').includes('PRAGMA application_id'),
    );
    expect(local).toEqual([]);
  });

  (hasDynoxide() || process.env.DYNAMODB_URL ? it : it.skip)(
    'handles events of the gateway and batches of a queue',
    async () => {
      const opened = await openTable();
      try {
        const { table } = await import('../../lambdas/aws/table.ts');
        await createOrganisation({ orgId: ORG, name: 'Test', plan: 'pro' }, { table, clock: Date.now });
        const key = { orgId: ORG, keyId: KEY, name: 'test', role: 'member' as const, secret: 'x'.repeat(40) };
        const { token } = await createApiKey(key, { table, clock: Date.now });
        const listSites = (headers: object) =>
          invoke(folder.path, 'api/list-sites', {
            httpMethod: 'GET',
            path: '/api/sites',
            headers,
            pathParameters: null,
            queryStringParameters: null,
            body: null,
            isBase64Encoded: false,
            requestContext: { requestId: 'r', identity: { sourceIp: '198.51.100.1' } },
          });
        expect(await listSites({})).toMatchObject({
          statusCode: 401,
          headers: { 'X-Request-Id': 'r', 'X-RateLimit-Remaining': '999' },
        });
        expect(await listSites({ Authorization: `Bearer ${token}` })).toMatchObject({
          statusCode: 200,
          body: '{"sites":[]}',
        });
        const message = { siteId: ORG, jobId: KEY, slice: 0 };
        const bodies = ['not a message', JSON.stringify(message)];
        const Records = bodies.map((body, index) => ({ messageId: `${index}`, body }));
        // A failure in a FIFO group fails the messages after it too.
        const failures = { batchItemFailures: [{ itemIdentifier: '0' }, { itemIdentifier: '1' }] };
        expect(await invoke(folder.path, 'workers/crawl-dead', { Records })).toEqual(failures);
        expect(await invoke(folder.path, 'workers/crawl-dead', { Records: Records.slice(1) })).toEqual({
          batchItemFailures: [],
        });
      } finally {
        await opened.close();
      }
    },
  );
});

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce(
    (sum, file) => sum + statSync(join(folder, file)).size,
    0,
  );

/** Runs a handler of the bundle in a new process, as AWS does. */
async function invoke(folder: string, entry: Entry, event: object): Promise<unknown> {
  const url = pathToFileURL(join(folder, 'lambdas', `${entry}.mjs`)).href;
  const script = `const { handler } = await import('${url}');
    console.log(JSON.stringify(await handler(${JSON.stringify(event)}, {})));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, QUEUE_URL_PREFIX: 'http://127.0.0.1:9/queue-' },
  });
  return JSON.parse(stdout);
}
