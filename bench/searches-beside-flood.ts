import { Agent, request } from 'undici';
import { table } from '#adapters/table';
import { readSite } from '../lambdas/domain/sites/site.ts';
import { closeStore, openStore } from '../local/threads/open-store.ts';
import { LocalService } from '../test/support/local-service.ts';
import { report } from './support/figures.ts';
import { fillIndex } from './support/fill-index.ts';
import { readManual } from './support/varied-manual.ts';

/*
 * Measures sequential searches of one visitor over HTTP, while the service is idle and while another site has FLOOD
 * long queries in flight. Also measures eight visitors of one site. With FLOOD_SITE=same the flood is on the visitor's
 * site.
 */

const FLOOD = Number(process.env.FLOOD ?? 200);
const CHUNKS = Number(process.env.CHUNKS ?? 10_000);
const SEARCHES = Number(process.env.SEARCHES ?? 100);
const WARM_UP = 1000;
const LONGEST = 2000;

const manual = readManual();
const agent = new Agent({ connections: FLOOD + 8, pipelining: 1, keepAliveTimeout: 1000, keepAliveMaxTimeout: 1000 });
let next = 0;
const newQuery = (): string => `${manual.queries[next++ % manual.queries.length]} ${next}`;
const longQuery = (): string => {
  let query = newQuery();
  while (query.length < LONGEST - 100) query += ` ${newQuery()}`;
  return query.slice(0, LONGEST);
};

const service = await LocalService.start({ env: { LOG_LEVEL: 'warn' } });
try {
  const quiet = await service.createSite('https://quiet.example/');
  const flooded = process.env.FLOOD_SITE === 'same' ? quiet : await service.createSite('https://flooded.example/');
  await service.kill('SIGTERM');
  await openStore(service.dataDir);
  for (const siteId of new Set([quiet, flooded])) {
    const generation = (await readSite(siteId, table))?.state.generation ?? 1;
    await fillIndex({ siteId, generation }, manual, { chunks: CHUNKS });
  }
  await closeStore();
  await service.restart();
  for (let i = 0; i < WARM_UP; i++) await search(quiet, i % 10 === 0 ? longQuery() : newQuery());
  const idle = await times(SEARCHES, 1, () => search(quiet, newQuery()));
  const visitors = await times(8 * SEARCHES, 8, () => search(quiet, newQuery()));
  const long = await times(SEARCHES, 1, () => search(quiet, longQuery()));
  let isOver = false;
  let answered = 0;
  let failed = 0;
  const flood = Array.from({ length: FLOOD }, async () => {
    while (!isOver)
      await search(flooded, longQuery()).then(
        () => answered++,
        () => failed++,
      );
  });
  const started = performance.now();
  const beside = await times(SEARCHES, 1, () => search(quiet, newQuery()));
  const perSecond = Math.round((1000 * answered) / (performance.now() - started));
  isOver = true;
  await Promise.all(flood);
  report({
    'one visitor': idle,
    'eight visitors': visitors,
    'one visitor, long queries': long,
    'one visitor beside the flood': beside,
    'the flood': { 'searches a second': perSecond, failed },
  });
} finally {
  await agent.close();
  await service.end();
}

async function search(siteId: string, q: string): Promise<void> {
  const url = `${service.ready.publicUrl}/public/sites/${siteId}/search?${new URLSearchParams({ q })}`;
  const { statusCode, body } = await request(url, { dispatcher: agent });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${statusCode} ${text}`);
}

/** Runs tasks. Returns their times in milliseconds. */
async function times(count: number, clients: number, task: () => Promise<void>): Promise<Record<string, number>> {
  const taken: number[] = [];
  let left = count;
  const before = service.processorMs();
  const client = async () => {
    while (left-- > 0) {
      const started = performance.now();
      await task();
      taken.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const sorted = taken.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(10 * (sorted[Math.floor(sorted.length * share)] ?? Number.NaN)) / 10;
  const processor = Math.round((10 * (service.processorMs() - before)) / count) / 10;
  return { p50: at(0.5), p99: at(0.99), 'CPU ms': processor };
}
