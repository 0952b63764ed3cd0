import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Json } from '../../test/support/answer.ts';
import { LocalService } from '../../test/support/local-service.ts';
import { PAGES, type ServedPages, servedPages, shortPages, thousandPages } from './thousand-pages.ts';

const FOLDER = import.meta.dirname;
const CONNECTIONS = 5;
const DELAYS_MS = [0, 25];
/** The time in which the service loads its workers after its start. Crawlee's time begins after loading too. */
const LOADING_MS = 1500;
const POLL_MS = 10;

type Run = {
  readonly pages: number;
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly peakMB: number;
};

/** Pages per second: of the whole crawl, and without its beginning and its end. */
type Pace = { readonly whole: number; readonly underWay: number };

/**
 * Compares a crawl of this service, which extracts, embeds and indexes, with Crawlee, which reads titles, and with a
 * client that discards all answers. Each gets the same 1,000 pages of one server on loopback over five connections, and
 * runs in a separate process.
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
    let most: Pace | undefined;
    for (const [name, crawl] of [
      ['the connections alone', bare],
      ['Crawlee', crawlee],
      ['this service', thisCrawl],
    ] as const) {
      const site = await servedPages(pages, delayMs);
      const run = await crawl(site, pages);
      const pace = { whole: run.pages / run.seconds, underWay: site.pace() };
      if (crawl === bare) most = pace;
      rows[`${name}, ${delayMs} ms per answer`] = row(run, site, pace, delayMs > 0 ? most : undefined);
      site.close();
    }
  }
  return rows;
}

/** Installs Crawlee, which is not a dependency of the project, into the bench's folder on the first run. */
function installBeside(): void {
  if (existsSync(join(FOLDER, 'node_modules'))) return;
  console.log('npm ci --prefix bench/beside');
  execFileSync('npm', ['ci', '--prefix', FOLDER, '--ignore-scripts', '--no-audit', '--no-fund'], { stdio: 'inherit' });
}

const bare = ({ start }: ServedPages, pages: ReadonlyMap<string, Buffer>): Promise<Run> =>
  ran('bare.ts', start, [...pages.keys()].join(' '));
const crawlee = ({ start }: ServedPages): Promise<Run> => ran('crawlee.js', start, `${PAGES}`);

async function ran(script: string, start: string, what: string): Promise<Run> {
  const order = [join(FOLDER, script), start, `${CONNECTIONS}`, what];
  const { stdout } = await promisify(execFile)(process.execPath, order);
  return JSON.parse(stdout);
}

async function thisCrawl({ start }: ServedPages): Promise<Run> {
  const service = await LocalService.start({ options: [], env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' } });
  try {
    await delay(LOADING_MS);
    const siteId = await service.createSite(start, { maxPages: 3 * PAGES, maxDepth: 20 });
    const before = service.processorMs();
    const started = performance.now();
    const jobId = await service.startCrawl(siteId);
    let peakMB = 0;
    let job: Json;
    do {
      await delay(POLL_MS);
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

function row(
  { pages, processorSeconds, peakMB }: Run,
  { mostAtOnce }: ServedPages,
  pace: Pace,
  most: Pace | undefined,
) {
  const rounded = (number: number, digits = 1) => Number(number.toFixed(digits));
  return {
    pages,
    'pages/s': rounded(pace.whole),
    'processor s': rounded(processorSeconds),
    'peak MB': Math.round(peakMB),
    'most requests at once': mostAtOnce(),
    ...(most && {
      'share of the connections alone': rounded(pace.whole / most.whole, 2),
      'the same, once under way': rounded(pace.underWay / most.underWay, 2),
    }),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compare();
