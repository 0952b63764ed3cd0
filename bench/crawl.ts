import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Json, listOf } from '../test/support/answer.ts';
import { LocalService } from '../test/support/local-service.ts';
import { compare } from './beside/compare.ts';
import { postgresqlManual } from './support/postgresql-manual.ts';
import { serveFolder } from './support/serve-folder.ts';

/** Queries with their pages. One of the pages must be among the first two results. */
const KNOWN: readonly (readonly [query: string, pages: readonly string[]])[] = [
  ['vacuum full table lock', ['sql-vacuum.html', 'routine-vacuuming.html']],
  ['how do I back up a database', ['backup.html', 'backup-dump.html', 'app-pgdump.html']],
  ['pg_dump', ['app-pgdump.html']],
];
const SEARCHES = 400;

const folder = postgresqlManual();
const files = readdirSync(folder).filter((name) => name.endsWith('.html'));
const delayMs = Number(process.env.DELAY_MS ?? 0);
const { origin, server } = await serveFolder(folder, { delayMs });
const service = await LocalService.start({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' } });
try {
  const siteId = await service.createSite(`${origin}/index.html`, { maxPages: 5000, maxDepth: 20 });
  const first = await crawl(siteId);
  const second = await crawl(siteId);
  const indexed = await indexedPages(siteId);
  const missing = files.filter((name) => !indexed.includes(`${origin}/${name}`));
  console.table({
    'first crawl': first,
    'second crawl, nothing changed': second,
  });
  const twice = indexed.length - new Set(indexed).size;
  console.log(`${files.length} pages in the folder, ${indexed.length} in the index, ${twice} twice`);
  console.log(`${missing.length} missing ${missing.slice(0, 5).join(' ')}`);
  console.table(await Promise.all(KNOWN.map(([query, pages]) => known(siteId, query, pages))));
  console.table(await latency(siteId));
} finally {
  await service.end();
  server.close();
}
await compare();

async function crawl(siteId: string) {
  const started = performance.now();
  let peak = 0;
  const jobId = await service.startCrawl(siteId);
  let job: Json;
  do {
    await delay(100);
    peak = Math.max(peak, service.residentMB());
    job = (await service.api('GET', `/jobs/${jobId}`)).body;
  } while (['pending', 'running'].includes(String(job.status)));
  const seconds = (performance.now() - started) / 1000;
  const { pagesCrawled, pagesProcessed, pagesErrored, pagesSkipped } = job;
  const rounded = (number: number) => Math.round(number * 10) / 10;
  return {
    status: String(job.status),
    pagesCrawled,
    pagesProcessed,
    pagesErrored,
    pagesSkipped,
    seconds: rounded(seconds),
    'pages/s': rounded(Number(pagesCrawled) / seconds),
    'peak MB': Math.round(peak),
  };
}

async function indexedPages(siteId: string): Promise<readonly string[]> {
  const urls: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await service.api('GET', `/sites/${siteId}/pages?limit=200${cursor}`);
    urls.push(...listOf(body.items).map(({ url }) => String(url)));
    if (String(body.hasMore) !== 'true') return urls;
    cursor = `&cursor=${encodeURIComponent(String(body.nextCursor))}`;
  }
}

async function search(siteId: string, query: string): Promise<Json> {
  return (await service.visit(`/public/sites/${siteId}/search?q=${encodeURIComponent(query)}`)).body;
}

async function known(siteId: string, query: string, pages: readonly string[]) {
  const results = listOf((await search(siteId, query)).results);
  const index = results.findIndex(({ url }) => pages.some((page) => url === (`${origin}/${page}` as unknown)));
  return { query, rank: index + 1, first: String(results[0]?.title), score: String(results[0]?.score).slice(0, 5) };
}

/** Measures searches for the titles of pages, one after another, over HTTP. */
async function latency(siteId: string) {
  const titles = files.map((name) => /<title>([^<]*)/.exec(readFileSync(`${folder}/${name}`, 'utf8'))?.[1] ?? name);
  const times: number[] = [];
  for (let i = 0; i < SEARCHES; i++) {
    const started = performance.now();
    await search(siteId, titles[(i * 37) % titles.length] as string);
    times.push(performance.now() - started);
  }
  const sorted = times.slice(SEARCHES / 10).sort((a, b) => a - b);
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] as number) * 10) / 10;
  return { 'search over HTTP, ms': { p50: at(0.5), p95: at(0.95), p99: at(0.99) } };
}
