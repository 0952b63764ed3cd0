import { GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { openSearchClient } from '../../lambdas/aws/opensearch/client.ts';
import { ensureIndex, isUsable } from '../../lambdas/aws/opensearch/index/index-admin.ts';
import { newIndexName } from '../../lambdas/aws/opensearch/index-name.ts';
import { sqsQueue } from '../../lambdas/aws/sqs/sqs-queue.ts';
import {
  type RegisteredIndex,
  readIndexRegistry,
  STRAGGLERS_SECONDS,
} from '../../lambdas/domain/pages/reindexing/index-registry.ts';
import { rebuildIndex } from '../../lambdas/domain/pages/reindexing/rebuild-index.ts';
import type { Table } from '../../lambdas/domain/ports/table.ts';
import { env } from '../../lambdas/env.ts';
import { clock, newId } from '../../lambdas/runtime/system.ts';
import { resourceNames } from '../../lib/resource-names.ts';
import { domainOf } from './stack-domain.ts';

/** The timeout of a call. Creating an index takes longer than a search. */
const LIMIT_MS = 30_000;

/** Starts filling a new index of a stack. The worker of `move-index` does the work, and `status` shows its progress. */
export async function rebuildStackIndex(stackName: string, table: Table): Promise<object> {
  const { queuePrefix, searchDomain } = resourceNames(stackName);
  const { url, replicas } = await domainOf(searchDomain);
  const engine = openSearchClient(url, { limitMs: LIMIT_MS });
  try {
    const before = await readIndexRegistry(table);
    const stays = before !== undefined && (await isUsable(engine, before.searched));
    const { searched, secondary, step } = await rebuildIndex({
      table,
      queue: sqsQueue(await urlPrefixOf(queuePrefix)),
      clock,
      fillAfterSeconds: STRAGGLERS_SECONDS,
      pauseSeconds: STRAGGLERS_SECONDS,
      newName: (kind) => newIndexName(kind, newId()),
      make: (index: RegisteredIndex) => ensureIndex(engine, index, { shards: index.shards ?? 1, replicas }),
      canStay: () => stays,
    });
    return { searched: searched.index, step, filled: (secondary ?? searched).index };
  } finally {
    engine.close();
  }
}

async function urlPrefixOf(queuePrefix: string): Promise<string> {
  if (env.QUEUE_URL_PREFIX !== undefined) return env.QUEUE_URL_PREFIX;
  const QueueName = `${queuePrefix}move-index.fifo`;
  const { QueueUrl = '' } = await new SQSClient().send(new GetQueueUrlCommand({ QueueName }));
  return QueueUrl.slice(0, -'move-index.fifo'.length);
}
