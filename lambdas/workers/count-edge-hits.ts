import { queue } from '#adapters/queue';
import { tableReader } from '#adapters/table';
import { openEdgeLogs } from '../aws/edge-logs.ts';
import { countEdgeHits } from '../domain/analytics/edge-hits.ts';
import { queues } from '../messages.ts';
import { worker } from '../runtime/worker.ts';

export const handler = worker(queues['edge-logs'], ({ key }) =>
  countEdgeHits(key, { edgeLogs: openEdgeLogs(), table: tableReader, queue }),
);
