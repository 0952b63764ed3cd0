/*
 * Puts the PostgreSQL manual into SQLite and into OpenSearch, sends the same queries to both, and counts the
 * differences. SQLite compares every page, so its answer is the right one. The queries are one in EVERY index terms and
 * titles.
 *
 * Uses the OpenSearch at OPENSEARCH_URL, or starts one and stops it at the end.
 */
import { pageIndex } from '#adapters/page-index';
import { openSearchClient } from '../lambdas/aws/opensearch/client.ts';
import { ensureIndex } from '../lambdas/aws/opensearch/index/index-admin.ts';
import { opensearchPageIndex } from '../lambdas/aws/opensearch/index/opensearch-page-index.ts';
import { builtinEmbedder } from '../lambdas/connectors/embedder/builtin.ts';
import type { PageIndex } from '../lambdas/domain/ports/page-index.ts';
import { engines } from '../test/engines/engines.ts';
import { openLocalStore } from '../test/support/local-store.ts';
import { report } from './support/figures.ts';
import { postgresql, titleQueries } from './support/relevance-collections.ts';
import { indexCollection } from './support/relevance-search.ts';

const EVERY = Number(process.env.EVERY ?? 20);
const LIMIT_MS = 30_000;
const SHOWN = 10;

const close = await openLocalStore();
const started = process.env.OPENSEARCH_URL === undefined ? await engines.opensearch.start() : undefined;
const client = openSearchClient(started?.url ?? process.env.OPENSEARCH_URL ?? '', { limitMs: LIMIT_MS });
try {
  const embedder = builtinEmbedder();
  const space = { space: `agree${Date.now()}`, dimensions: embedder.dimensions };
  await ensureIndex(client, space);
  const opensearch = opensearchPageIndex(client, space);
  const manual = postgresql();
  const onSite = async (index: PageIndex) => indexCollection(manual, index, embedder);
  const [right, other] = [await onSite(pageIndex), await onSite(opensearch)];
  const queries = [...manual.queries, ...titleQueries(manual)].filter((_, i) => i % EVERY === 0);
  const counts = { queries: 0, 'first result': 0, 'first ten': 0, total: 0, 'total too low': 0 };
  const times: number[] = [];
  for (const { text } of queries) {
    const request = { query: text, limit: SHOWN };
    const expected = await right.ask(request);
    const started = performance.now();
    const found = await other.ask(request);
    times.push(performance.now() - started);
    const urls = [expected, found].map(({ results }) => results.map(({ url }) => url));
    counts.queries++;
    if (urls[0]?.[0] === urls[1]?.[0]) counts['first result']++;
    if (String(urls[0]) === String(urls[1])) counts['first ten']++;
    if (expected.totalResults === found.totalResults) counts.total++;
    if (expected.totalResults > found.totalResults) counts['total too low']++;
    if (process.env.SHOW && expected.totalResults !== found.totalResults)
      console.log(text, expected.totalResults, found.totalResults);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => Math.round((times[Math.floor(times.length * share)] ?? Number.NaN) * 10) / 10;
  report({ 'same on both engines': counts, 'OpenSearch, ms': { p50: at(0.5), p95: at(0.95) } });
} finally {
  client.close();
  await started?.stop();
  await close();
}
