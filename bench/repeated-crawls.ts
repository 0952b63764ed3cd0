import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FILE_NAME } from '../local/sqlite/schema.ts';
import { eventually } from '../test/support/eventually.ts';
import { LocalService } from '../test/support/local-service.ts';
import { htmlPage, webSite } from '../test/support/web-site.ts';

/* Measures what crawls of unchanged pages leave in the data folder. It must not grow with their number. */

const PAGES = Number(process.env.PAGES ?? 400);
const CRAWLS = Number(process.env.CRAWLS ?? 100);
/** The number of crawls after which the URLs of older jobs are removed. */
const FIRST = 10;
const LINKS = 20;
/** The time for deleting unused data after the last job, in milliseconds. */
const LEAVES_WITHIN_MS = 30_000;

const TABLES = { item: 'rows', page: 'texts', index_page: 'index entries', message: 'messages' };

const pathOf = (index: number) => (index === 0 ? '/' : `/page-${index}`);
const linksOf = (index: number) =>
  Array.from({ length: LINKS }, (_, n) => LINKS * index + n + 1)
    .filter((linked) => linked < PAGES)
    .map(pathOf);
const prose = (index: number) =>
  Array.from({ length: 40 }, (_, n) => `Sentence ${n} of page ${index} is about the number ${index * 40 + n}.`).join(
    ' ',
  );

const web = await webSite(
  Object.fromEntries(
    Array.from({ length: PAGES }, (_, index) => [
      pathOf(index),
      htmlPage(`Page ${index}`, prose(index), linksOf(index)),
    ]),
  ),
);
const service = await LocalService.start({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1', LOG_LEVEL: 'warn' } });
try {
  const siteId = await service.createSite(web.origin, { maxPages: 2 * PAGES, maxDepth: 20 });
  const figures: Record<string, object> = {};
  for (let crawl = 1; crawl <= CRAWLS; crawl++) {
    const { status, pagesCrawled } = await service.ended(await service.startCrawl(siteId), 120_000);
    if (String(status) !== 'completed' || Number(pagesCrawled) !== PAGES)
      throw new Error(`crawl ${crawl} is ${status} with ${pagesCrawled} pages`);
    if (crawl === 1 || crawl === FIRST || crawl === CRAWLS) figures[`after ${crawl}`] = await left();
  }
  console.table(figures);
} finally {
  await service.end();
  await web.close();
}

/** Returns the size of the folder once it no longer shrinks. */
async function left() {
  const ended = performance.now();
  let before = Infinity;
  await eventually(async () => {
    const now = folderBytes();
    const isStill = now === before && performance.now() - ended > LEAVES_WITHIN_MS / 3;
    before = now;
    return isStill;
  }, LEAVES_WITHIN_MS);
  const database = new DatabaseSync(join(service.dataDir, FILE_NAME), { readOnly: true });
  const count = (table: string) => Number(database.prepare(`SELECT count(*) AS number FROM ${table}`).get()?.number);
  const counts = Object.fromEntries(Object.entries(TABLES).map(([table, name]) => [name, count(table)]));
  database.close();
  return { 'data folder, MB': Math.round(folderBytes() / 1e4) / 100, ...counts };
}

function folderBytes(): number {
  return readdirSync(service.dataDir).reduce((sum, name) => sum + statSync(join(service.dataDir, name)).size, 0);
}
