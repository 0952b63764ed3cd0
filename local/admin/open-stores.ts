import type { Embedder } from '../../lambdas/domain/ports/embedder.ts';
import type { PageIndex } from '../../lambdas/domain/ports/page-index.ts';
import type { PageStore } from '../../lambdas/domain/ports/page-store.ts';
import type { Table } from '../../lambdas/domain/ports/table.ts';
import { env } from '../../lambdas/env.ts';

export type AdminStores = {
  readonly pageStore: PageStore;
  readonly pageIndex: PageIndex;
  readonly embedder: Embedder;
  readonly close: () => void;
};

/** Opens the page store and the index of a deployed stack, or else of the open data folder. */
export async function openAdminStores(stack: string | undefined, table: Table): Promise<AdminStores> {
  if (stack === undefined) {
    const { pageStore } = await import('../sqlite/page-store.ts');
    if (env.OPENSEARCH_URL !== undefined) return { pageStore, ...(await openSearchIndex(env.OPENSEARCH_URL, table)) };
    const { pageIndex } = await import('../sqlite/page-index.ts');
    const { embedder } = await import('../../lambdas/connectors/embedder/configured.ts');
    return { pageStore, pageIndex, embedder, close: () => undefined };
  }
  const { s3PageStore } = await import('../../lambdas/aws/s3/s3-page-store.ts');
  const { resourceNames } = await import('../../lib/resource-names.ts');
  const { domainOf } = await import('./stack-domain.ts');
  const { table: name, searchDomain } = resourceNames(stack);
  const pageStore = s3PageStore(env.PAGES_BUCKET ?? (await bucketOf(name)), { url: env.S3_URL });
  return { pageStore, ...(await openSearchIndex((await domainOf(searchDomain)).url, table)) };
}

async function openSearchIndex(url: string, table: Table): Promise<Omit<AdminStores, 'pageStore'>> {
  const [
    { openSearchClient },
    { indexCache },
    { opensearchPageIndex },
    { MAPPING },
    { cachedRegistry },
    { dualWriteIndex },
    configured,
  ] = await Promise.all([
    import('../../lambdas/aws/opensearch/client.ts'),
    import('../../lambdas/aws/opensearch/index/index-cache.ts'),
    import('../../lambdas/aws/opensearch/index/opensearch-page-index.ts'),
    import('../../lambdas/aws/opensearch/layout.ts'),
    import('../../lambdas/domain/pages/reindexing/cached-registry.ts'),
    import('../../lambdas/domain/pages/reindexing/dual-write-index.ts'),
    import('../../lambdas/connectors/embedder/configured.ts'),
  ]);
  const client = openSearchClient(url);
  const pageIndex = dualWriteIndex({
    layout: MAPPING,
    registry: cachedRegistry({ table, clock: () => performance.now() }),
    open: indexCache((index) => opensearchPageIndex(client, index)),
    embedders: async () => configured,
  });
  return { pageIndex, embedder: configured.embedder, close: client.close };
}

/** Finds the bucket of texts, whose name ends with account and region. */
async function bucketOf(table: string): Promise<string> {
  const { ListBucketsCommand, S3Client } = await import('@aws-sdk/client-s3');
  const Prefix = `${table}-pages-`;
  const { Buckets = [] } = await new S3Client().send(new ListBucketsCommand({ Prefix }));
  const [bucket] = Buckets;
  if (bucket?.Name === undefined) throw new Error(`There is no bucket ${Prefix}…: check --stack and your credentials`);
  return bucket.Name;
}
