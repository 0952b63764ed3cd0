import type { OpenIndex } from '../domain/pages/reindexing/index-registry.ts';
import { openSearchClient } from './opensearch/client.ts';
import { dropIndex as drop } from './opensearch/index/drop-index.ts';
import { indexOpener } from './opensearch/index/open-index.ts';
import { requireEnv } from './require-env.ts';

const client = openSearchClient(requireEnv('OPENSEARCH_URL'));

export const openIndex: OpenIndex = indexOpener(client);
export const dropIndex = (index: string): Promise<void> => drop(client, index);
