import { readdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Json } from '../test/support/answer.ts';
import { LocalService } from '../test/support/local-service.ts';
import { type Product, spaSite } from '../test/support/spa-site.ts';

/*
 * Crawls a single-page application, whose pages need a browser: first with the browser for every page, then where
 * needed.
 */

const PAGES = Number(process.env.PAGES ?? 200);

const site = await spaSite(Object.fromEntries(Array.from({ length: PAGES }, (_, i) => [`p${i}`, product(i)])));
const service = await LocalService.start({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' } });
try {
  const siteId = await service.createSite(site.origin, { maxPages: PAGES + 1, javascriptEnabled: true });
  const rows: Record<string, object> = {};
  for (const [name, javascriptEnabled] of [
    ['true', true],
    ['true, nothing changed', true],
    ['auto', 'auto'],
  ] as const)
    rows[name] = await crawl(siteId, javascriptEnabled);
  console.log(`${cpus().length} processors, ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}`);
  console.table(rows);
} finally {
  await service.end();
  await site.close();
}

function product(i: number): Product {
  const word = String.fromCharCode(97 + (i % 26)).repeat(3 + (i % 5));
  return { name: `Product ${i} ${word}`, text: `The ${word} number ${i} is made of ash. `.repeat(20) };
}

async function crawl(siteId: string, javascriptEnabled: boolean | 'auto') {
  const asked = site.requests.length;
  const ownMs = service.processorMs();
  const started = performance.now();
  const { body } = await service.api('POST', `/sites/${siteId}/crawl`, { javascriptEnabled });
  let job: Json;
  let [megabytes, seconds] = [0, 0];
  do {
    await delay(250);
    const used = browserUse();
    [megabytes, seconds] = [Math.max(megabytes, used.megabytes), Math.max(seconds, used.seconds)];
    job = (await service.api('GET', `/jobs/${body.jobId}`)).body;
  } while (['pending', 'running'].includes(String(job.status)));
  const took = (performance.now() - started) / 1000;
  const pages = Number(job.pagesProcessed);
  const rounded = (number: number) => Math.round(number * 100) / 100;
  return {
    pages,
    'pages/s': rounded(pages / took),
    'requests a page': rounded((site.requests.length - asked) / pages),
    'service, processor s a page': rounded((service.processorMs() - ownMs) / 1000 / pages),
    'browser, processor s a page': rounded(seconds / pages),
    'browser, most MB': Math.round(megabytes),
  };
}

/**
 * Returns the memory and processor time of the browser's running processes, with the time of their children that have
 * ended.
 */
function browserUse() {
  let [kilobytes, ticks] = [0, 0];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (!read(pid, 'cmdline').includes('site-search-chromium')) continue;
    for (const [, value] of read(pid, 'status').matchAll(/^(?:RssAnon|RssShmem):\s+(\d+)/gm))
      kilobytes += Number(value);
    const stat = read(pid, 'stat');
    const fields = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 16);
    ticks += fields.reduce((sum, field) => sum + Number(field), 0);
  }
  return { megabytes: kilobytes / 1024, seconds: ticks / 100 };
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // the process has just ended
  }
}
