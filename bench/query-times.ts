import { pageIndex } from '#adapters/page-index';
import { embedder } from '../lambdas/connectors/embedder/configured.ts';
import { DEFAULT_MIN_SCORE, DEFAULT_OPTIONS } from '../lambdas/domain/search/search-request.ts';
import { searchSite } from '../lambdas/domain/search/search-site.ts';
import { mergeSegmentsRepeatedly, segmentsToMerge } from '../local/threads/merge-segments.ts';
import { store } from '../local/threads/store.ts';
import { eventually } from '../test/support/eventually.ts';
import { newScope } from '../test/support/index-entries.ts';
import { openLocalStore } from '../test/support/local-store.ts';
import { type Figures, report } from './support/figures.ts';
import { fillIndex } from './support/fill-index.ts';
import { querySets } from './support/query-sets.ts';
import { siteOf } from './support/relevance-search.ts';

/*
 * Processor milliseconds of searches by kind of query, on a site of 10,000 chunks (or CHUNKS) without HTTP. Each query
 * is new; before, as many others of each kind have warmed up the code. The first searches, by the clock, are of a
 * process that has searched nothing yet. SHOW=1 prints the slowest queries.
 */

const CHUNKS = Number(process.env.CHUNKS ?? 10_000);
const QUERIES = Number(process.env.QUERIES ?? 300);
const MERGED_MS = 180_000;
const SHOWN = 10;
const FIRST = 100;

const { manual, sets } = querySets(2 * QUERIES);
const close = await openLocalStore();
try {
  const scope = newScope();
  await merged(() => fillIndex(scope, manual, { chunks: CHUNKS }));
  const site = siteOf(scope, ['en']);
  const search = async (query: string) => {
    const [started, before] = [performance.now(), process.threadCpuUsage()];
    const request = { ...DEFAULT_OPTIONS, query, limit: SHOWN, offset: 0, minScore: DEFAULT_MIN_SCORE };
    const { response } = await searchSite(site, request, { index: pageIndex, embedder, clock: Date.now });
    const { user, system } = process.threadCpuUsage(before);
    return {
      query,
      clock: performance.now() - started,
      processor: (user + system) / 1000,
      isCorrected: response.corrections !== undefined,
      isFound: response.results.length > 0,
    };
  };
  const rows: Record<string, Figures[string]> = {};
  const first: Awaited<ReturnType<typeof search>>[] = [];
  const kinds = Object.values(sets);
  for (let i = 0; i < FIRST; i++) first.push(await search(kinds[i % kinds.length]?.[i] ?? ''));
  for (const set of Object.values(sets)) for (const query of set.slice(0, QUERIES)) await search(query);
  for (const [name, set] of Object.entries(sets)) {
    const timed: Awaited<ReturnType<typeof search>>[] = [];
    for (const query of set.slice(QUERIES)) timed.push(await search(query));
    rows[name] = figuresOf(timed);
    const slowest = timed.toSorted((a, b) => b.processor - a.processor).slice(0, 3);
    if (process.env.SHOW) for (const { query, processor } of slowest) console.log(name, processor, query);
  }
  rows['the first search, the second, the hundredth'] = {
    first: rounded(first[0]?.clock),
    second: rounded(first[1]?.clock),
    hundredth: rounded(first.at(-1)?.clock),
  };
  report(rows);
} finally {
  await close();
}

type Timed = {
  readonly clock: number;
  readonly processor: number;
  readonly isCorrected: boolean;
  readonly isFound: boolean;
};

function figuresOf(timed: readonly Timed[]): Figures[string] {
  const sorted = timed.map(({ processor }) => processor).toSorted((a, b) => a - b);
  const at = (share: number) => rounded(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]);
  const share = (test: (one: Timed) => boolean) => rounded(timed.filter(test).length / timed.length, 2);
  return {
    p95: at(0.95),
    p99: at(0.99),
    most: at(1),
    mean: rounded(sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length),
    corrected: share(({ isCorrected }) => isCorrected),
    'finds nothing': share(({ isFound }) => !isFound),
  };
}

/** Waits until the segments are as few as they become. */
async function merged(fill: () => Promise<unknown>): Promise<void> {
  const halt = new AbortController();
  const merging = mergeSegmentsRepeatedly(halt.signal, console.error);
  await fill();
  const isMerged = async () =>
    store()
      .read.segments.ofSites()
      .every((rows) => segmentsToMerge(rows, true).length === 0);
  await eventually(isMerged, MERGED_MS);
  halt.abort();
  await merging;
}

function rounded(number = Number.NaN, digits = 1): number {
  return Number(number.toFixed(digits));
}
