import { setTimeout as delay } from 'node:timers/promises';
import { table } from '#adapters/table';
import { closeEngine, openEngine } from '../lambdas/adapters/local/engine.ts';
import { readSite } from '../lambdas/core/sites/site.ts';
import { LocalService } from '../test/support/local-service.ts';
import { report } from './figures.ts';
import { fillIndex } from './fill-index.ts';
import { readManual } from './varied-manual.ts';

/*
 * A restart of the service, to the answer of the first search, and its memory: with no site, and with a site of so many
 * pages (PAGES) of up to so many blocks (BLOCKS_PER_PAGE). Time by the clock and of the processor.
 */

const sizes = (process.env.PAGES ?? '20000,100000').split(',').map(Number);
const blocksPerPage = Number(process.env.BLOCKS_PER_PAGE ?? 6);
const RESTARTS = Number(process.env.RESTARTS ?? 5);
const SEARCHES = Number(process.env.SEARCHES ?? 200);
const IDLE_MS = 8000;
/** The segments have been merged by then. */
const SETTLED_MS = Number(process.env.SETTLED_MS ?? 60_000);

const manual = readManual();
const rows: Record<string, Record<string, number>> = {};
for (const pages of [0, ...sizes]) rows[`${pages} pages`] = await measured(pages);
report(rows);

async function measured(pages: number): Promise<Record<string, number>> {
  const service = await LocalService.start({ env: { LOG_LEVEL: 'warn' } });
  try {
    const siteId = await service.createSite('https://manual.example/');
    await service.kill('SIGTERM');
    const chunks = pages > 0 ? await filled(service, siteId, pages) : 0;
    const restarts = [];
    for (let i = 0; i < RESTARTS; i++) restarts.push(await restarted(service, siteId, i));
    await delay(IDLE_MS);
    const idle = service.residentMB();
    for (let i = 0; i < SEARCHES; i++) await search(service, siteId, i);
    return {
      chunks,
      'first search ms': median(restarts.map(({ ms }) => ms)),
      'processor ms': median(restarts.map(({ processorMs }) => processorMs)),
      'MB after it': median(restarts.map(({ megabytes }) => megabytes)),
      'MB idle': Math.round(idle),
      [`MB after ${SEARCHES} searches`]: Math.round(service.residentMB()),
    };
  } finally {
    await service.end();
  }
}

async function filled(service: LocalService, siteId: string, pages: number): Promise<number> {
  await openEngine(service.dataDir);
  const generation = (await readSite(siteId, table))?.state.generation ?? 1;
  const { chunks } = await fillIndex({ siteId, generation }, manual, { pages, blocksPerPage });
  await delay(SETTLED_MS);
  await closeEngine();
  return chunks;
}

async function restarted(service: LocalService, siteId: string, query: number) {
  await service.kill('SIGTERM');
  const started = performance.now();
  await service.restart();
  await search(service, siteId, query);
  const ms = Math.round(performance.now() - started);
  return { ms, processorMs: service.processorMs(), megabytes: Math.round(service.residentMB()) };
}

async function search({ ready }: LocalService, siteId: string, query: number): Promise<void> {
  const text = encodeURIComponent(manual.queries[query] ?? '');
  const response = await fetch(`${ready.publicUrl}/public/sites/${siteId}/search?q=${text}`);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
