import { pageStore } from '#adapters/page-store';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { needed } from '../adapters/aws/needed.ts';
import { openSearch } from '../adapters/aws/opensearch/client.ts';
import { dropIndex } from '../adapters/aws/opensearch/index-space.ts';
import { spaceIndices } from '../adapters/aws/opensearch/space-indices.ts';
import { moveIndex } from '../core/index-space/move-index.ts';
import { queues } from '../messages.ts';
import { log } from '../runtime/log.ts';
import { worker } from '../runtime/worker.ts';
import { clock, halt, sleep } from '../runtime/world.ts';

const engine = openSearch(needed('OPENSEARCH_URL'));
const open = spaceIndices(engine);
const drop = (index: string): Promise<void> => dropIndex(engine, index);
const report = (message: string, error: unknown): void => log('warn', message, { error });

export const handler = worker(queues['move-index'], (message) =>
  moveIndex(message, { table, queue, pageStore, clock, sleep, halt, open, drop, report }),
);
