import { table } from '#adapters/table-reader';
import { cachedRegistry } from '../domain/pages/reindexing/cached-registry.ts';
import type { PageRemover } from '../domain/ports/page-index.ts';
import { openSearchClient, withSharedLimit } from './opensearch/client.ts';
import { removeBelow } from './opensearch/index/page-writes.ts';
import { indexName } from './opensearch/index-name.ts';
import { requireEnv } from './require-env.ts';

const client = openSearchClient(requireEnv('OPENSEARCH_URL'));
const registry = cachedRegistry({ table, clock: () => performance.now() });

/** Removes from every index that holds pages, also from one of an earlier layout. It needs no embedder and no key. */
export const pageRemover: PageRemover = {
  async removeBelow(siteId, generation, limit) {
    const { searched, secondary } = await registry();
    let isDone = true;
    for (const index of secondary ? [searched, secondary] : [searched]) {
      const ref = { client: withSharedLimit(client), name: indexName(index) };
      isDone = (await removeBelow(ref, siteId, generation, limit)) && isDone;
    }
    return isDone;
  },
};
