import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSearchClient } from '../lambdas/aws/opensearch/client.ts';
import { ensureIndex } from '../lambdas/aws/opensearch/index/index-admin.ts';
import { opensearchPageIndex } from '../lambdas/aws/opensearch/index/opensearch-page-index.ts';
import { indexName } from '../lambdas/aws/opensearch/index-name.ts';
import { pageReader } from '../lambdas/aws/page-reader.ts';
import { builtinEmbedder } from '../lambdas/connectors/embedder/builtin.ts';
import { batches } from '../lambdas/domain/batches.ts';
import { indexEntries, type PageToIndex } from '../lambdas/domain/pages/index-entry.ts';
import { urlHash } from '../lambdas/text/web/url.ts';
import { engines } from '../test/engines/engines.ts';
import { newScope } from '../test/support/index-entries.ts';
import { postgresqlManual } from './support/postgresql-manual.ts';

/*
 * Measures the size of one site in OpenSearch, and the distribution of its pages over the shards of an index as in
 * production: `npm run bench -- index-size`. The pages are those of the PostgreSQL 15 manual, with vectors of the
 * built-in table.
 */

const SHARDS = 3;

type Stats = {
  readonly _all: { readonly primaries: { readonly store: { readonly size_in_bytes: number } } };
  readonly indices: Readonly<Record<string, { readonly shards: Readonly<Record<string, readonly ShardStats[]>> }>>;
};
type ShardStats = { readonly store: { readonly size_in_bytes: number } };

const { OPENSEARCH_URL: running } = process.env;
const { url, stop } = running ? { url: running, stop: async () => undefined } : await engines.opensearch.start();
const client = openSearchClient(url);
try {
  const embedder = builtinEmbedder();
  const space = { space: 'size', dimensions: embedder.dimensions };
  await ensureIndex(client, space, { shards: SHARDS, replicas: 0 });
  const pageIndex = opensearchPageIndex(client, space);
  const folder = postgresqlManual();
  const files = readdirSync(folder).filter((name) => name.endsWith('.html'));
  const scope = newScope();
  let pages = 0;
  let chunks = 0;
  for (const batch of batches(files, 20)) {
    const read = await Promise.all(batch.map((file) => pageToIndex(join(folder, file), file, scope)));
    const entries = await indexEntries(
      read.filter((page) => page !== undefined),
      embedder,
    );
    await pageIndex.put(entries, { visible: 'soon' });
    pages += entries.length;
    chunks += entries.reduce((sum, entry) => sum + entry.chunks.length, 0);
  }
  const name = indexName(space);
  await client.send({ method: 'POST', path: `/${name}/_forcemerge`, query: { max_num_segments: 1 }, limitMs: 600_000 });
  await pageIndex.refresh();
  const stats = (await client.send({
    method: 'GET',
    path: `/${name}/_stats/store`,
    query: { level: 'shards' },
  })) as Stats;
  const bytes = stats._all.primaries.store.size_in_bytes;
  const shards = Object.values(Object.values(stats.indices)[0]?.shards ?? {}).map(
    ([shard]) => shard?.store.size_in_bytes ?? 0,
  );
  const gibibytes = (perPage: number) => Math.round((perPage * 1_000_000) / 2 ** 30);
  console.table({
    [`${pages} pages, ${chunks} chunks`]: {
      'bytes a chunk': Math.round(bytes / chunks),
      'bytes a page': Math.round(bytes / pages),
      'GiB for 1,000,000 such pages': gibibytes(bytes / pages),
      'GiB in its largest shard': gibibytes(Math.max(...shards) / pages),
      'MB by shard': shards.map((size) => (size / 1e6).toFixed(1)).join(', '),
    },
  });
} finally {
  await client.send({ method: 'DELETE', path: `/${indexName({ space: 'size' })}-0` });
  client.close();
  await stop();
}

async function pageToIndex(
  file: string,
  name: string,
  scope: ReturnType<typeof newScope>,
): Promise<PageToIndex | undefined> {
  const at = `https://manual.example/${name}`;
  const content = await pageReader.read({ url: at, contentType: 'text/html', body: readFileSync(file) });
  if (content === undefined || typeof content === 'string') return undefined;
  const row = {
    url: at,
    urlHash: urlHash(at),
    revision: 1,
    crawledAt: new Date().toISOString(),
    contentHash: urlHash(name),
  };
  return { ...scope, row, content };
}
