import { setTimeout as delay } from 'node:timers/promises';
import { table } from '#adapters/table';
import { readSite } from '../lambdas/domain/sites/site.ts';
import { closeStore, openStore } from '../local/threads/open-store.ts';
import { eventually } from '../test/support/eventually.ts';
import { LocalService } from '../test/support/local-service.ts';
import { report } from './support/figures.ts';
import { fillIndex } from './support/fill-index.ts';
import { untilMerged } from './support/until-merged.ts';
import { readManual } from './support/varied-manual.ts';

/*
 * Measures first starts with the demo site, from the start of the process until a search finds one of its pages. Then
 * measures restarts until the first answer of a search, with their memory: without a site, and with a site of PAGES
 * pages of up to BLOCKS_PER_PAGE blocks. Times are wall clock and processor time.
 */

const sizes = (process.env.PAGES ?? '20000,100000').split(',').map(Number);
const blocksPerPage = Number(process.env.BLOCKS_PER_PAGE ?? 6);
const RESTARTS = Number(process.env.RESTARTS ?? 5);
const DEMO_LIMIT_MS = 60_000;
const SEARCHES = Number(process.env.SEARCHES ?? 200);
const IDLE_MS = 8000;

const manual = readManual();
const rows: Record<string, Record<string, number>> = { demo: await measuredDemo() };
for (const pages of [0, ...sizes]) rows[`${pages} pages`] = await measured(pages);
report(rows);

async function measuredDemo(): Promise<Record<string, number>> {
  const starts = [];
  for (let i = 0; i < RESTARTS; i++) {
    const started = performance.now();
    const service = await LocalService.start({ options: [], env: { LOG_LEVEL: 'warn' } });
    try {
      await eventually(() => finds(service, 'how does a crawl survive a crash'), DEMO_LIMIT_MS);
      starts.push(figuresSince(started, service));
    } finally {
      await service.end();
    }
  }
  return mediansOf(starts);
}

async function measured(pages: number): Promise<Record<string, number>> {
  const service = await LocalService.start({ env: { LOG_LEVEL: 'warn' } });
  try {
    const siteId = await service.createSite('https://manual.example/');
    await service.kill('SIGTERM');
    const chunks = pages > 0 ? await filled(service, siteId, pages) : 0;
    const restarts = [];
    for (let i = 0; i < RESTARTS; i++) restarts.push(await restarted(service, siteId, i));
    await delay(IDLE_MS);
    const [idle, before] = [service.residentMB(), service.processorMs()];
    await delay(IDLE_MS);
    const processorMs = service.processorMs() - before;
    for (let i = 0; i < SEARCHES; i++) await search(service, siteId, i);
    return {
      chunks,
      ...mediansOf(restarts),
      'MB idle': Math.round(idle),
      'processor ms a minute, idle': Math.round((60_000 * processorMs) / IDLE_MS),
      [`MB after ${SEARCHES} searches`]: Math.round(service.residentMB()),
    };
  } finally {
    await service.end();
  }
}

async function filled(service: LocalService, siteId: string, pages: number): Promise<number> {
  await openStore(service.dataDir);
  const generation = (await readSite(siteId, table))?.state.generation ?? 1;
  const { chunks } = await fillIndex({ siteId, generation }, manual, { pages, blocksPerPage });
  await closeStore();
  await service.restart();
  await untilMerged(service.dataDir);
  return chunks;
}

async function restarted(service: LocalService, siteId: string, query: number) {
  await service.kill('SIGTERM');
  const started = performance.now();
  await service.restart();
  await search(service, siteId, query);
  return figuresSince(started, service);
}

type Start = { readonly ms: number; readonly processorMs: number; readonly megabytes: number };

function figuresSince(started: number, service: LocalService): Start {
  const ms = Math.round(performance.now() - started);
  return { ms, processorMs: service.processorMs(), megabytes: Math.round(service.residentMB()) };
}

function mediansOf(starts: readonly Start[]): Record<string, number> {
  return {
    'first search ms': median(starts.map(({ ms }) => ms)),
    'processor ms': median(starts.map(({ processorMs }) => processorMs)),
    'MB after it': median(starts.map(({ megabytes }) => megabytes)),
  };
}

async function search(service: LocalService, siteId: string, query: number): Promise<void> {
  const response = await answer(service, siteId, manual.queries[query] ?? '');
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

/**
 * Tells whether a search finds a page. False while OpenSearch creates its indexes (503), and while no page is indexed.
 */
async function finds(service: LocalService, query: string): Promise<boolean> {
  const response = await answer(service, service.ready.demoSiteId ?? '', query);
  return response.ok && ((await response.json()) as { readonly results: readonly unknown[] }).results.length > 0;
}

function answer({ ready }: LocalService, siteId: string, query: string): Promise<Response> {
  return fetch(`${ready.publicUrl}/public/sites/${siteId}/search?q=${encodeURIComponent(query)}`);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
