import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Json, LocalService } from '../../test/support/local-service.ts';
import { PAGES, type ServedPages, servedPages, shortPages, thousandPages } from './thousand-pages.ts';

const FOLDER = import.meta.dirname;
const CONNECTIONS = 5;
const DELAYS_MS = [0, 25];
/** The workers load when the service is up already. Crawlee's time begins when it is loaded too. */
const LOADING_MS = 1500;

type Run = {
  readonly pages: number;
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly peakMB: number;
};

/**
 * This crawl, which also extracts, embeds and indexes, beside Crawlee, which reads titles: the same 1,000 pages of one server on
 * loopback, five connections, each in a process of its own.
 */
export async function compare(): Promise<void> {
  installBeside();
  for (const [length, pages] of [
    ['as they are', thousandPages()],
    ['short', shortPages()],
  ] as const) {
    const bytes = Array.from(pages.values(), (page) => page.length).toSorted((a, b) => a - b);
    console.log(`pages ${length}: half of them below ${Math.round((bytes[PAGES / 2] ?? 0) / 1000)} kB`);
    console.table(await sideBySide(pages));
  }
}

async function sideBySide(pages: ReadonlyMap<string, Buffer>) {
  const rows: Record<string, ReturnType<typeof row>> = {};
  for (const delayMs of DELAYS_MS) {
    for (const [name, crawl] of [
      ['Crawlee', crawlee],
      ['this', thisCrawl],
    ] as const) {
      const site = await servedPages(pages, delayMs);
      const run = await crawl(site);
      rows[`${name}, ${delayMs} ms per answer`] = row(run, delayMs, site);
      site.close();
    }
  }
  return rows;
}

/** Not among this project's packages: installed for the bench, into its own folder, when it first runs. */
function installBeside(): void {
  if (existsSync(join(FOLDER, 'node_modules'))) return;
  console.log('npm ci --prefix bench/beside');
  execFileSync('npm', ['ci', '--prefix', FOLDER, '--ignore-scripts', '--no-audit', '--no-fund'], { stdio: 'inherit' });
}

async function crawlee({ start }: ServedPages): Promise<Run> {
  const script = join(FOLDER, 'crawlee.js');
  const { stdout } = await promisify(execFile)(process.execPath, [script, start, `${CONNECTIONS}`, `${PAGES}`]);
  return JSON.parse(stdout);
}

async function thisCrawl({ start }: ServedPages): Promise<Run> {
  const service = await LocalService.start({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' } });
  try {
    await delay(LOADING_MS);
    const siteId = await service.createSite(start, { maxPages: 3 * PAGES, maxDepth: 20 });
    const before = service.processorMs();
    const started = performance.now();
    const jobId = await service.startCrawl(siteId);
    let peakMB = 0;
    let job: Json;
    do {
      await delay(50);
      peakMB = Math.max(peakMB, service.residentMB());
      job = (await service.api('GET', `/jobs/${jobId}`)).body;
    } while (['pending', 'running'].includes(String(job.status)));
    const seconds = (performance.now() - started) / 1000;
    return {
      pages: Number(job.pagesCrawled),
      seconds,
      processorSeconds: (service.processorMs() - before) / 1000,
      peakMB,
    };
  } finally {
    await service.end();
  }
}

function row({ pages, seconds, processorSeconds, peakMB }: Run, delayMs: number, { mostAtOnce }: ServedPages) {
  const rounded = (number: number) => Math.round(number * 10) / 10;
  return {
    pages,
    'pages/s': rounded(pages / seconds),
    'processor s': rounded(processorSeconds),
    'peak MB': Math.round(peakMB),
    'most at once': mostAtOnce(),
    ...(delayMs > 0 && {
      'of what the connections allow': Math.round((100 * pages * delayMs) / (seconds * CONNECTIONS * 1000)) / 100,
    }),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compare();
