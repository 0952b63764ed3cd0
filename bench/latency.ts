import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { pageIndex } from '#adapters/page-index';
import { table } from '#adapters/table';
import { embedder } from '../lambdas/connectors/embedder/configured.ts';
import type { SiteScope } from '../lambdas/domain/ports/page-index.ts';
import { FIRST_RESULTS } from '../lambdas/domain/search/find-pages.ts';
import { COMPARED_TITLES } from '../lambdas/domain/search/rank/exact-titles.ts';
import { DEFAULT_MIN_SCORE } from '../lambdas/domain/search/search-request.ts';
import { Limiter } from '../lambdas/domain/sites/limits/limiter.ts';
import { readSite } from '../lambdas/domain/sites/site.ts';
import { queryTerms } from '../lambdas/text/words/query-terms.ts';
import { mergeSegmentsRepeatedly } from '../local/threads/merge-segments.ts';
import { closeStore, openStore } from '../local/threads/open-store.ts';
import { LocalService } from '../test/support/local-service.ts';
import { EngineRecorder, replaySearch } from './support/engine-recorder.ts';
import { report } from './support/figures.ts';
import { fillIndex } from './support/fill-index.ts';
import { querySets } from './support/query-sets.ts';
import { untilMerged } from './support/until-merged.ts';

/*
 * Measures searches over HTTP and in the index alone, on sites of 1,000, 10,000 and 100,000 chunks (or SIZES), also by
 * kind of query: titles, questions of people, words drawn from pages. Each timed query is new. First, four times as
 * many searches, for pairs of queries, warm up the code, and over HTTP the segments of the index are merged. With
 * OPENSEARCH_URL the index is OpenSearch, and the service's requests to it are timed as well.
 */

const sizes = (process.env.SIZES ?? '1000,10000,100000').split(',').map(Number);
const CLIENTS = [1, 8];
/** The number of timed searches in the index alone, by one client and by eight clients. */
const SEARCHES = Number(process.env.SEARCHES ?? 400);
const UNCOUNTED = 50;
const WARM_UP = 4 * SEARCHES;
const CHECKS = 5000;

const engineUrl = process.env.OPENSEARCH_URL;
const { manual, sets } = querySets(UNCOUNTED + SEARCHES);
let nextQuery = 0;
const PAIRS = Array.from({ length: WARM_UP }, (_, i) => {
  const [one, other] = [i, 7 * i + 3].map((n) => manual.queries[n % manual.queries.length]);
  return `${one} ${other}`;
});
const rows: Record<string, Record<string, number>> = {};
for (const size of sizes) Object.assign(rows, await measured(size));
report(rows);

async function measured(chunks: number): Promise<typeof rows> {
  const name = (what: string) => `${chunks} chunks, ${what}`;
  // A lower level would print a line for each request.
  const service = await LocalService.start({ env: { LOG_LEVEL: 'warn' } });
  const agent = new Agent({ connections: Math.max(...CLIENTS), pipelining: 1 });
  try {
    const siteId = await service.createSite('https://manual.example/');
    await service.kill('SIGTERM');
    const found: typeof rows = { [name('the index alone')]: await timesOfIndex(service, siteId, chunks) };
    rows['a check of the rate limits of an address and a site'] ??= await timesOfLimits(service);
    await service.restart();
    const ask = searchOver(agent, service, siteId);
    const first = await timed(newQueries(1), 1, ask, 0);
    if (engineUrl === undefined) await untilMerged(service.dataDir);
    for (const pair of PAIRS) await ask(pair);
    for (const clients of CLIENTS)
      found[name(`HTTP, clients: ${clients}`)] = await timesOfClients(
        newQueries(UNCOUNTED + SEARCHES),
        clients,
        ask,
        service,
      );
    for (const [set, queries] of Object.entries(sets))
      found[name(`HTTP, ${set}`)] = await timesOfClients(queries, 1, ask, service);
    found[name('HTTP, the first search')] = { p50: first.p50 };
    if (engineUrl !== undefined) {
      const times = await timesBesideEngine(engineUrl, service, newQueries(UNCOUNTED + SEARCHES), ask, agent);
      const ratio = rounded(times.service.p50 / times.engine.p50, 2);
      found[name('HTTP, client: 1, repeated queries')] = { ...times.service, 'ratio to the engine': ratio };
      found[name('its requests to the engine alone')] = times.engine;
    }
    return found;
  } finally {
    await agent.close();
    await closeStore();
    await service.end();
  }
}

function newQueries(count: number): readonly string[] {
  return Array.from({ length: count }, () => manual.queries[nextQuery++] ?? randomUUID());
}

/** Fills the index of a stopped service and times its candidate queries. */
async function timesOfIndex(service: LocalService, siteId: string, chunks: number): Promise<Record<string, number>> {
  await openStore(service.dataDir);
  const generation = (await readSite(siteId, table))?.state.generation ?? 1;
  const scope = { siteId, generation };
  const halt = new AbortController();
  const merging = mergeSegmentsRepeatedly(halt.signal, console.error);
  const { seconds } = await fillIndex(scope, manual, { chunks });
  for (const pair of PAIRS) await candidates(scope, pair);
  const times = await timed(newQueries(UNCOUNTED + SEARCHES), 1, (query) => candidates(scope, query));
  halt.abort();
  await merging;
  await closeStore();
  return { ...times, 'filled in s': rounded(seconds) };
}

/**
 * Times the rate limits of a stopped service. The times are in hundredths of a millisecond, so they are not rounded to
 * tenths.
 */
async function timesOfLimits(service: LocalService): Promise<Quantiles> {
  await openStore(service.dataDir);
  const limiter = new Limiter({ table, clock: Date.now, report: console.error, nameOf: async (counter) => counter });
  const check = async (address: string): Promise<void> => {
    await limiter.take({ counter: `ADDRESS#${address}#search`, perMinute: 60 });
    await limiter.take({ counter: 'PLACE#site#search', perMinute: 1_000_000 });
  };
  const addresses = Array.from({ length: CHECKS }, (_, n) => `203.0.113.${n % 250}`);
  const times = await timed(addresses, 1, check, CHECKS / 2, 3);
  await closeStore();
  return times;
}

function searchOver(agent: Agent, service: LocalService, siteId: string): (query: string) => Promise<void> {
  return async (query) => {
    const url = `${service.ready.publicUrl}/public/sites/${siteId}/search?q=${encodeURIComponent(query)}`;
    const { statusCode, body } = await request(url, { dispatcher: agent });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${statusCode} ${text}`);
  };
}

async function timesOfClients(
  queries: readonly string[],
  clients: number,
  ask: (query: string) => Promise<void>,
  service: LocalService,
): Promise<Record<string, number>> {
  const before = service.processorMs();
  const times = await timed(queries, clients, ask);
  const each = (service.processorMs() - before) / queries.length;
  return { ...times, 'CPU ms': rounded(each), MB: Math.round(service.residentMB()) };
}

/** Requests candidates as a search does. */
async function candidates(scope: SiteScope, query: string): Promise<void> {
  await pageIndex.candidates({
    scopes: [scope],
    terms: queryTerms(query, ['en']),
    vector: await embedder.embedQuery(query, 1000),
    requiredPhrases: [],
    excludedPhrases: [],
    limit: FIRST_RESULTS + 1,
    first: COMPARED_TITLES,
    minScore: DEFAULT_MIN_SCORE,
  });
}

type Quantiles = Record<'p50' | 'p95' | 'p99', number>;

/**
 * Records the requests that the service sends to the engine for each query. Then times the query and its recorded
 * requests in turns, so that the load of the machine affects both equally.
 */
async function timesBesideEngine(
  url: string,
  service: LocalService,
  queries: readonly string[],
  ask: (query: string) => Promise<void>,
  agent: Agent,
): Promise<{ readonly service: Quantiles; readonly engine: Quantiles }> {
  const recorder = await EngineRecorder.start(url);
  const searches = new Map<string, readonly string[]>();
  await restartOn(recorder.url, service);
  for (const query of queries) {
    await ask(query);
    searches.set(query, recorder.take());
  }
  await restartOn(url, service);
  recorder.stop();
  const times = { service: [] as number[], engine: [] as number[] };
  for (const query of queries) {
    const started = performance.now();
    await ask(query);
    const between = performance.now();
    for (const search of searches.get(query) ?? []) await replaySearch(url, search, agent);
    times.service.push(between - started);
    times.engine.push(performance.now() - between);
  }
  return { service: quantiles(times.service.slice(UNCOUNTED)), engine: quantiles(times.engine.slice(UNCOUNTED)) };
}

async function restartOn(url: string, service: LocalService): Promise<void> {
  await service.kill('SIGTERM');
  process.env.OPENSEARCH_URL = url;
  await service.restart();
}

/** Times tasks. Returns quantiles in ms, without the first tasks. */
async function timed(
  queries: readonly string[],
  clients: number,
  task: (query: string) => Promise<void>,
  uncounted = UNCOUNTED,
  digits = 1,
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
  return quantiles(times.slice(uncounted), digits);
}

function quantiles(times: readonly number[], digits = 1): Quantiles {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => rounded(sorted[Math.floor(sorted.length * share)] ?? Number.NaN, digits);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

function rounded(number: number, digits = 1): number {
  return Number(number.toFixed(digits));
}
