import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { embedder, pageIndex } from '#adapters/page-index';
import { table } from '#adapters/table';
import { closeEngine, openEngine } from '../lambdas/adapters/local/engine.ts';
import { queryTerms } from '../lambdas/core/language/query-terms.ts';
import { indexEntries } from '../lambdas/core/pages/index-entry.ts';
import type { IndexEntry, SiteScope } from '../lambdas/core/ports/page-index.ts';
import { languageField, readSite, stateKey } from '../lambdas/core/sites/site.ts';
import { LocalService } from '../test/support/local-service.ts';
import { EngineRecorder, replaySearch } from './engine-recorder.ts';
import { tell } from './figures.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import { readManual, variedPages } from './varied-manual.ts';

/*
 * How long a search takes, over HTTP and in the index alone, on sites of 1,000, 10,000 and 100,000 chunks (SIZES names
 * others, SEARCHES how many are timed). With OPENSEARCH_URL the index is OpenSearch, and what the service asks of it is
 * sent by hand as well. No query is asked twice but these. Before any are timed, two queries at a time have been asked
 * as one, four times as many, so that the code is compiled.
 */

const sizes = (process.env.SIZES ?? '1000,10000,100000').split(',').map(Number);
const CLIENTS = [1, 8];
/** Of each of: the index alone, one client, eight clients. */
const SEARCHES = Number(process.env.SEARCHES ?? 400);
const UNCOUNTED = 50;
const WARM_UP = 4 * SEARCHES;
const PAGES_AT_ONCE = 50;

const engineUrl = process.env.OPENSEARCH_URL;
const manual = readManual();
const rows: Record<string, Record<string, number>> = {};
for (const size of sizes) Object.assign(rows, await measured(size));
tell(rows);

async function measured(chunks: number): Promise<typeof rows> {
  const service = await LocalService.start({ env: { LOG_LEVEL: 'warn' } }); // else a line for each request drowns the table
  const agent = new Agent({ connections: Math.max(...CLIENTS), pipelining: 1 });
  const name = (what: string) => `${chunks} chunks, ${what}`;
  let next = 0;
  const some = (count: number) => Array.from({ length: count }, () => manual.queries[next++] ?? randomUUID());
  const pairs = Array.from({ length: WARM_UP }, (_, i) => {
    const [one, other] = [i, 7 * i + 3].map((place) => manual.queries[place % manual.queries.length]);
    return `${one} ${other}`;
  });
  try {
    const siteId = await service.createSite('https://manual.example/');
    await service.kill('SIGTERM');
    await openEngine(service.dataDir);
    const generation = (await readSite(siteId, table))?.state.generation ?? 1;
    const scope = { siteId, generation };
    const seconds = await fill(scope, chunks);
    for (const pair of pairs) await candidates(scope, pair);
    const index = await timed(some(UNCOUNTED + SEARCHES), 1, (query) => candidates(scope, query));
    await closeEngine();
    await service.restart();
    const url = (query: string) =>
      `${service.ready.publicUrl}/public/sites/${siteId}/search?q=${encodeURIComponent(query)}`;
    const ask = async (query: string) => {
      const { statusCode, body } = await request(url(query), { dispatcher: agent });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`${statusCode} ${text}`);
    };
    const first = await timed(some(1), 1, ask, 0);
    for (const pair of pairs) await ask(pair);
    const found: typeof rows = { [name('the index alone')]: { ...index, 'filled in s': seconds } };
    for (const clients of CLIENTS) {
      const before = service.processorMs();
      const times = await timed(some(UNCOUNTED + SEARCHES), clients, ask);
      const each = (service.processorMs() - before) / (UNCOUNTED + SEARCHES);
      found[name(`HTTP, clients: ${clients}`)] = {
        ...times,
        'CPU ms': rounded(each),
        MB: Math.round(service.residentMB()),
      };
    }
    found[name('HTTP, the first search')] = { p50: first.p50 };
    if (engineUrl !== undefined) {
      const { service: again, hand } = await besideByHand(engineUrl, service, some(UNCOUNTED + SEARCHES), ask, agent);
      found[name('HTTP, client: 1, asked again')] = { ...again, 'of by hand': rounded(again.p50 / hand.p50, 2) };
      found[name('its searches of the engine, by hand')] = hand;
    }
    return found;
  } finally {
    await agent.close();
    await closeEngine();
    await service.end();
  }
}

/** Puts pages of so many chunks into the index of a site; answers how many seconds the index took for it. */
async function fill({ siteId, generation }: SiteScope, chunks: number): Promise<number> {
  await table.update(stateKey(siteId), { set: { [languageField('en')]: true } });
  let left = chunks;
  let ms = 0;
  const pages = variedPages(manual);
  while (left > 0) {
    const contents = Array.from({ length: PAGES_AT_ONCE }, () => pages.next().value).filter(
      (page) => page !== undefined,
    );
    const made = await indexEntries(
      contents.map((content) => {
        const urlHash = randomUUID();
        const url = `https://manual.example/${urlHash}`;
        return {
          siteId,
          generation,
          content,
          row: { urlHash, url, revision: 1, crawledAt: '2026-01-01T00:00:00.000Z' },
        };
      }),
      embedder,
    );
    const entries: IndexEntry[] = [];
    for (const entry of made) {
      const kept = entry.chunks.slice(0, left);
      if (kept.length > 0) entries.push({ ...entry, chunks: kept });
      left -= kept.length;
    }
    const started = performance.now();
    await retryWhileBusy(() => pageIndex.put(entries, { visible: left > 0 ? 'soon' : 'now' }));
    ms += performance.now() - started;
  }
  return rounded(ms / 1000);
}

async function candidates(scope: SiteScope, query: string): Promise<void> {
  await pageIndex.candidates({
    scopes: [scope],
    terms: queryTerms(query, ['en']),
    vector: await embedder.embedQuery(query, 1000),
    filters: [],
    requiredPhrases: [],
    excludedPhrases: [],
    groups: [],
    limit: 50,
  });
}

type Quantiles = Record<'p50' | 'p95' | 'p99', number>;

/**
 * What the service asks of the engine for some queries is recorded once; then each query is asked of the service, and
 * its searches of the engine, in turns: both have been asked once before, and both have the machine as it is at the
 * moment.
 */
async function besideByHand(
  url: string,
  service: LocalService,
  queries: readonly string[],
  ask: (query: string) => Promise<void>,
  agent: Agent,
): Promise<{ readonly service: Quantiles; readonly hand: Quantiles }> {
  const recorder = await EngineRecorder.start(url);
  const searches = new Map<string, readonly string[]>();
  await restartOn(recorder.url, service);
  for (const query of queries) {
    await ask(query);
    searches.set(query, recorder.take());
  }
  await restartOn(url, service);
  recorder.stop();
  const times = { service: [] as number[], hand: [] as number[] };
  for (const query of queries) {
    const started = performance.now();
    await ask(query);
    const between = performance.now();
    for (const search of searches.get(query) ?? []) await replaySearch(url, search, agent);
    times.service.push(between - started);
    times.hand.push(performance.now() - between);
  }
  return { service: quantiles(times.service.slice(UNCOUNTED)), hand: quantiles(times.hand.slice(UNCOUNTED)) };
}

async function restartOn(url: string, service: LocalService): Promise<void> {
  await service.kill('SIGTERM');
  process.env.OPENSEARCH_URL = url;
  await service.restart();
}

/** Quantiles in ms; the first of the tasks are not counted. */
async function timed(
  queries: readonly string[],
  clients: number,
  task: (query: string) => Promise<void>,
  uncounted = UNCOUNTED,
): Promise<Quantiles> {
  const times: number[] = [];
  const waiting = queries.values();
  const client = async () => {
    for (const query of waiting) {
      const started = performance.now();
      await task(query);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return quantiles(times.slice(uncounted));
}

function quantiles(times: readonly number[]): Quantiles {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => rounded(sorted[Math.floor(sorted.length * share)] ?? Number.NaN);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

function rounded(number: number, digits = 1): number {
  return Number(number.toFixed(digits));
}
