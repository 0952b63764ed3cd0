import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LocalService } from '../test/support/local-service.ts';
import { report } from './support/figures.ts';
import { postgresqlManual } from './support/postgresql-manual.ts';
import { readManual } from './support/varied-manual.ts';

/*
 * Measures searches of one visitor over HTTP, while the service is idle and while it crawls another site at full speed.
 * The visitor pauses between searches, and each search is new. The crawled site is on loopback, in a separate process.
 */

const PAUSE_MS = 15;
const WARM_UP = Number(process.env.WARM_UP ?? 1500);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const IDLE_SEARCHES = 400;

const { queries } = readManual();
let next = 0;
const script = fileURLToPath(new URL('support/serve-folder.ts', import.meta.url));
const website = spawn(process.execPath, [script, postgresqlManual(), '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
const [line] = await once(website.stdout, 'data');
const origin = String(line).trim();
const service = await LocalService.start({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1', LOG_LEVEL: 'warn' } });
try {
  const searched = await newSite();
  await service.ended(await service.startCrawl(searched), 120_000);
  for (let i = 0; i < WARM_UP; i++) await search(searched);
  const idle: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < IDLE_SEARCHES; i++) idle.push(await search(searched));
    const jobId = await service.startCrawl(await newSite());
    let hasEnded = false;
    const ended = service.ended(jobId, 120_000).then(() => {
      hasEnded = true;
    });
    while (!hasEnded) beside.push(await search(searched));
    await ended;
  }
  report({ 'no crawl': figuresOf(idle), 'a crawl in full flight': figuresOf(beside) });
} finally {
  await service.end();
  website.kill();
}

function newSite(): Promise<string> {
  return service.createSite(`${origin}/index.html`, { maxPages: 5000, maxDepth: 20 });
}

/** Runs a search. Returns its time in milliseconds. */
async function search(siteId: string): Promise<number> {
  await delay(PAUSE_MS);
  const text = encodeURIComponent(`${queries[next++ % queries.length]} ${next}`);
  const started = performance.now();
  const response = await fetch(`${service.ready.publicUrl}/public/sites/${siteId}/search?q=${text}`);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  await response.arrayBuffer();
  return performance.now() - started;
}

function figuresOf(times: readonly number[]): Record<string, number> {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round((sorted[Math.floor(share * sorted.length)] ?? Number.NaN) * 10) / 10;
  return { searches: times.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), longest: at(0.9999) };
}
