import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Page } from 'puppeteer-core';
import { createAdmin } from '../../../packages/client/src/admin.ts';
import { openBrowser } from '../../browser/browser.ts';
import { blocksOf } from '../../support/guide-documents.ts';
import { LocalService } from '../../support/local-service.ts';
import { installPackedClient } from './packed-client.ts';

/*
 * Part of npm run test:clients: packs the client, checks the package, and searches a running service with DocSearch and
 * InstantSearch through its adapters, in Chromium.
 */

const ROOT = join(import.meta.dirname, '../../..');
const WAIT = { timeout: 20_000 };
const HOSTILE = '<img src=x onerror="window.hacked = true">';
const PAGES = [
  {
    url: '/refunds',
    title: 'Refunds',
    tags: ['money'],
    content: `<html lang="en"><h1>Refunds</h1><p>What we pay back, and when.</p>
      <h2 id="how long">How long it takes</h2><p>Refunds are paid within 14 days. Name your invoice &lt;b&gt;.</p></html>`,
    metadata: { price: 5 },
  },
  ...['Basic', 'Team', 'School', 'Office'].map((name, i) => ({
    url: `/plans/${name.toLowerCase()}`,
    title: name === 'Team' ? `Team plan ${HOSTILE}` : `${name} plan`,
    tags: ['plans', name.toLowerCase()],
    content: `<html lang="en"><h1>${name} plan</h1><p>The plan ${name} costs ${12 * (i + 1)} euros a month.</p></html>`,
    metadata: { price: 12 * (i + 1) },
  })),
] as const;

const html = (script: string): string => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title>
  <div id="search"></div><div id="box"></div><div id="stats"></div><div id="hits"></div><div id="tags"></div>
  <div id="price"></div><div id="pages"></div><script type="module" src="/${script}"></script></html>`;

/** The pages of `pages/` and of the guide, bundled, on a server of their own: another origin than the service's. */
async function servePages(site: string): Promise<{ readonly origin: string; readonly close: () => void }> {
  await cp(join(import.meta.dirname, 'pages'), folder, { recursive: true });
  const names = ['docsearch', 'instantsearch'];
  const examples = blocksOf('client.md', 'js');
  assert.equal(examples.length, names.length);
  for (const [i, code] of examples.entries()) {
    const adapted = code.replace('https://search.example.com', service.ready.publicUrl).replace('YOUR-SITE-ID', site);
    await writeFile(join(folder, `${names[i]}-of-guide.js`), adapted);
  }
  const compilerOptions = {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ['es2022', 'dom', 'dom.iterable'],
  };
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: names.map((name) => `${name}.ts`) }),
  );
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch(({ stdout }) => assert.fail(stdout));
  await build({
    entryPoints: names.flatMap((name) => [join(folder, `${name}.ts`), join(folder, `${name}-of-guide.js`)]),
    outdir: join(folder, 'out'),
    bundle: true,
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  const server = createServer(async ({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const script = pathname.endsWith('.js') && (await readFile(join(folder, 'out', pathname)));
    response.writeHead(200, { 'Content-Type': script ? 'text/javascript' : 'text/html' });
    response.end(script || html(`${pathname.slice(1)}.js`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

async function createSite(): Promise<{ readonly site: string; readonly group: string }> {
  const { baseUrl: api, apiKey: key } = service.ready;
  const admin = createAdmin({ api, key });
  const publicAccess = { enabled: true, allowedDomains: ['*'] };
  const { siteId } = await admin('POST /sites', { body: { name: 'Shop', baseUrl: 'https://shop.example/' } });
  const path = { siteId };
  const metadataSchema = [{ name: 'price', type: 'number' as const, facet: true }];
  await admin('PUT /sites/{siteId}', { path, body: { publicAccess, metadataSchema } });
  const pages = PAGES.map((page) => ({ ...page, tags: [...page.tags] }));
  const { processed } = await admin('POST /sites/{siteId}/pages', { path, body: { pages } });
  assert.equal(processed, PAGES.length);
  const group = await admin('POST /groups', { body: { name: 'All', siteIds: [siteId], publicAccess } });
  return { site: siteId, group: group.groupId };
}

/** A page whose faults, and calls of other hosts, fail the test. */
async function open(url: string): Promise<Page> {
  const page = await browser.newPage();
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (hostname === 'shop.example')
      return void request.respond({ contentType: 'text/html', body: '<h1>Arrived</h1>' });
    if (hostname !== '127.0.0.1' && protocol !== 'data:') faults.push(`asks ${request.url()}`);
    return void request.continue();
  });
  await page.goto(url, { waitUntil: 'networkidle0' });
  return page;
}

async function close(page: Page): Promise<void> {
  assert.equal(await page.evaluate('window.hacked'), undefined, 'a title is run as a script');
  assert.deepEqual(faults, []);
  await page.close();
}

/** Waits until the texts of elements are these, in any order, and fails with those that are there instead. */
async function shows(page: Page, selector: string, texts: readonly string[]): Promise<void> {
  const shown = `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.textContent.trim()).sort()`;
  const expected = texts.toSorted();
  await page
    .waitForFunction(`JSON.stringify(${shown}) === ${JSON.stringify(JSON.stringify(expected))}`, WAIT)
    .catch(async () => assert.deepEqual(await page.evaluate(shown), expected));
}

async function type(page: Page, selector: string, text: string): Promise<void> {
  await page.click(selector, { count: 3 });
  await page.keyboard.press('Backspace');
  await page.keyboard.type(text);
}

const TEAM = `Team plan ${HOSTILE}`;
const HEADING = '.DocSearch-Hit-source';
const TITLE = '.DocSearch-Hit-title';
const PATH = '.DocSearch-Hit-path';
const INPUT = '.DocSearch-Input';

async function openModal(url: string): Promise<Page> {
  const page = await open(url);
  await page.keyboard.down('Control');
  await page.keyboard.press('k');
  await page.keyboard.up('Control');
  await page.waitForSelector(INPUT, WAIT);
  return page;
}

async function docsearch(url: string): Promise<void> {
  const page = await openModal(url);
  await type(page, INPUT, 'team plan');
  await shows(page, HEADING, [TEAM]);
  await shows(page, TITLE, ['The plan Team costs 24 euros a month.']);
  await shows(page, `${TITLE} mark`, ['plan', 'Team']);
  await type(page, INPUT, 'qwertzuiop');
  await page.waitForSelector('.DocSearch-NoResults', WAIT);

  await type(page, INPUT, 'invoice');
  await shows(page, PATH, ['shop.example > Refunds > How long it takes']);
  await page.keyboard.press('ArrowDown');
  await Promise.all([page.waitForNavigation(WAIT), page.keyboard.press('Enter')]);
  assert.equal(page.url(), 'https://shop.example/refunds#how%20long');
  await close(page);
}

async function docsearchFacets(url: string): Promise<void> {
  const page = await openModal(url);
  await type(page, INPUT, 'euros');
  await shows(page, HEADING, ['Basic plan', 'Office plan', 'School plan', TEAM]);
  await page.click('.DocSearch-Menu-Trigger');
  await (await page.waitForSelector('::-p-aria(Office)', WAIT))?.click();
  await page.keyboard.press('Escape');
  await shows(page, HEADING, ['Office plan']);
  await close(page);
}

async function docsearchOfGroup(url: string): Promise<void> {
  const page = await openModal(url);
  await type(page, INPUT, 'school');
  await shows(page, HEADING, ['School plan (Shop)']);
  await close(page);
}

async function instantsearch(url: string): Promise<void> {
  const page = await open(url);
  const titles = '#hits a';
  await shows(page, titles, []);
  await shows(page, '#tags .ais-RefinementList-labelText', ['plans', 'basic', 'money', 'office', 'school', 'team']);

  await type(page, '#box input', 'plan');
  await shows(page, titles, ['Basic plan', 'Office plan', 'School plan']);
  await shows(page, `${titles} mark`, ['plan', 'plan', 'plan']);
  await page.click('#pages .ais-Pagination-item--nextPage a');
  await shows(page, titles, [TEAM]);

  const choose = (value: string) => page.click(`#tags input[value="${value}"]`);
  await choose('basic');
  await shows(page, titles, ['Basic plan']);
  await choose('office');
  await shows(page, titles, ['Basic plan', 'Office plan']);
  await type(page, '#tags .ais-SearchBox-input', 'sch');
  await shows(page, '#tags .ais-RefinementList-labelText', ['school']);
  await choose('school');
  await shows(page, titles, ['Basic plan', 'Office plan', 'School plan']);

  await type(page, '#price .ais-RangeInput-input--min', '30');
  await page.keyboard.press('Enter');
  await shows(page, titles, ['Office plan', 'School plan']);
  await close(page);
}

async function guide(origin: string): Promise<void> {
  const modal = await openModal(`${origin}/docsearch-of-guide`);
  await type(modal, INPUT, 'team plan');
  await shows(modal, HEADING, [TEAM]);
  await close(modal);
  const page = await open(`${origin}/instantsearch-of-guide`);
  await type(page, '#box input', 'team plan');
  await shows(page, '#hits a', [TEAM]);
  await close(page);
}

const faults: string[] = [];
const folder = await mkdtemp(join(tmpdir(), 'site-search-adapters-'));
const service = await LocalService.start();
const browser = await openBrowser();
let pages: Awaited<ReturnType<typeof servePages>> | undefined;
try {
  await installPackedClient(folder);
  console.log('@site-search/client: publint and attw find nothing');
  const { site, group } = await createSite();
  pages = await servePages(site);
  const api = encodeURIComponent(service.ready.publicUrl);
  await docsearch(`${pages.origin}/docsearch?api=${api}&site=${site}`);
  await docsearchFacets(`${pages.origin}/docsearch?api=${api}&site=${site}`);
  await docsearchOfGroup(`${pages.origin}/docsearch?api=${api}&group=${group}`);
  console.log('DocSearch: finds pages of a site and of a group');
  await instantsearch(`${pages.origin}/instantsearch?api=${api}&site=${site}`);
  console.log('InstantSearch: finds pages, filters and turns pages');
  await guide(pages.origin);
  console.log('docs/guide/client.md: its search boxes find pages');
} finally {
  pages?.close();
  await browser.close();
  await service.end();
  await rm(folder, { recursive: true, force: true });
}
