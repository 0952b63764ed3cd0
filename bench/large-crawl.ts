import { setTimeout as delay } from 'node:timers/promises';
import { LocalService } from '../test/support/local-service.ts';
import { htmlPage, webSite } from '../test/support/web-site.ts';
import { report } from './support/figures.ts';
import { readManual } from './support/varied-manual.ts';

/*
 * Measures the resident memory of the service in MB: before and during a crawl of PAGES pages, where a visitor searches
 * every half second; AFTER_S seconds later, with a search every five seconds; after 200 more searches; and after a
 * restart with 200 searches.
 */

const PAGES = Number(process.env.PAGES ?? 20_000);
const AFTER_S = Number(process.env.AFTER_S ?? 90);
const LINKS = 10;
const PARAGRAPHS = 4;
const MIN_PARAGRAPH_LENGTH = 200;
const SEARCHES = 200;
const DURING_MS = 500;
const AFTER_MS = 5000;

const manual = readManual();
const paragraphs = manual.pages
  .flatMap(({ blocks }) => blocks.map(({ text }) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')))
  .filter(({ length }) => length > MIN_PARAGRAPH_LENGTH);
const web = await webSite(Object.fromEntries(Array.from({ length: PAGES }, (_, n) => [pathOf(n), page(n)])));
const service = await LocalService.start({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1', LOG_LEVEL: 'warn' } });
try {
  const idle = service.residentMB();
  const siteId = await service.createSite(web.origin, { maxPages: 2 * PAGES, maxDepth: 20 });
  const { seconds, most } = await crawl(siteId);
  let peak = most;
  for (let waited = 0; waited < 1000 * AFTER_S; waited += DURING_MS) {
    if (waited % AFTER_MS === 0) await search(siteId);
    await delay(DURING_MS);
    peak = Math.max(peak, service.residentMB());
  }
  const after = service.residentMB();
  await searchOften(siteId);
  const searched = service.residentMB();
  await service.kill('SIGTERM');
  await service.restart();
  await searchOften(siteId);
  const restarted = service.residentMB();
  report({ [`${PAGES} pages`]: { seconds, idle, most, peak, after, searched, restarted } });
} finally {
  await service.end();
  await web.close();
}

function pathOf(number: number): string {
  return number === 0 ? '/' : `/page-${number}`;
}

/** Returns a page. Each page links to the next ten of a tree. */
function page(number: number): string {
  const text = Array.from({ length: PARAGRAPHS }, (_, i) => paragraphs[(7 * number + 131 * i) % paragraphs.length]);
  const links = Array.from({ length: LINKS }, (_, i) => LINKS * number + i + 1).filter((linked) => linked < PAGES);
  return htmlPage(`Topic ${number}`, `${text.join(` ${number}</p><p>`)}</p><p>Page ${number}`, links.map(pathOf));
}

async function crawl(siteId: string) {
  const started = performance.now();
  const jobId = await service.startCrawl(siteId);
  let most = 0;
  for (;;) {
    await delay(DURING_MS);
    await search(siteId);
    most = Math.max(most, service.residentMB());
    const { body } = await service.api('GET', `/jobs/${jobId}`);
    if (!['pending', 'running'].includes(String(body.status))) break;
  }
  return { seconds: Math.round((performance.now() - started) / 1000), most };
}

async function searchOften(siteId: string): Promise<void> {
  for (let i = 0; i < SEARCHES; i++) await search(siteId);
}

async function search(siteId: string): Promise<void> {
  const query = manual.queries[Math.floor(Math.random() * manual.queries.length)] ?? '';
  const response = await fetch(
    `${service.ready.publicUrl}/public/sites/${siteId}/search?q=${encodeURIComponent(query)}`,
  );
  await response.arrayBuffer();
}
