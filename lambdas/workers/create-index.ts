import { setTimeout as delay } from 'node:timers/promises';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import * as z from 'zod';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { openSearchClient } from '../adapters/aws/opensearch/client.ts';
import { ensureIndex } from '../adapters/aws/opensearch/index-admin.ts';
import { configuredKind, newIndexName } from '../adapters/aws/opensearch/open-index.ts';
import { requireEnv } from '../adapters/aws/require-env.ts';
import { ensureSearchedIndex } from '../core/reindexing/ensure-index.ts';
import type { IndexKind, RegisteredIndex } from '../core/reindexing/index-registry.ts';
import { retryWhileUnavailable } from '../core/retry.ts';
import { log } from '../runtime/log.ts';
import { clock, newId } from '../runtime/system.ts';

/** CloudFormation makes strings of numbers. */
const Size = z.object({ shards: z.coerce.number().int().min(1), replicas: z.coerce.number().int().min(0) });

/** A new IAM role takes a while to become effective. */
const RETRY_FOR_MS = 60_000;
const RETRY_WAIT_MS = 5_000;
/** Longer than a function may run: calls that began with the previous code have ended by this time. */
const STRAGGLERS_SECONDS = 150;

/**
 * Runs when the stack is deployed: creates the index of the embedding space if it is missing, and starts a migration
 * from the index that was searched before. It never changes or removes an index, so no update or deletion of the stack
 * loses data.
 */
export async function handler(event: CloudFormationCustomResourceEvent): Promise<void> {
  const answer = event.RequestType === 'Delete' ? { Status: 'SUCCESS' } : await create(event.ResourceProperties);
  const { StackId, RequestId, LogicalResourceId } = event;
  const body = JSON.stringify({ ...answer, StackId, RequestId, LogicalResourceId, PhysicalResourceId: 'index' });
  // A body of bytes sends no content type: the URL is signed for a request without one.
  await fetch(event.ResponseURL, { method: 'PUT', body: Buffer.from(body) });
}

async function create(
  properties: unknown,
): Promise<{ readonly Status: 'SUCCESS' | 'FAILED'; readonly Reason?: string }> {
  const engine = openSearchClient(requireEnv('OPENSEARCH_URL'));
  try {
    const size = Size.parse(properties);
    const deps = {
      ...{ table, queue, clock, fillAfterSeconds: STRAGGLERS_SECONDS, pauseSeconds: STRAGGLERS_SECONDS },
      newName: (kind: IndexKind) => newIndexName(kind, newId()),
      canStay: () => true,
      make: (space: RegisteredIndex) => ensureIndex(engine, space, size),
    };
    await retryWhileUnavailable(() => ensureSearchedIndex(configuredKind, deps), {
      ...{ deadline: clock() + RETRY_FOR_MS, clock, sleep: (ms) => delay(ms) },
      ...{ firstWaitMs: RETRY_WAIT_MS, longestWaitMs: RETRY_WAIT_MS },
    });
    return { Status: 'SUCCESS' };
  } catch (error) {
    log('error', 'the index was not created', { error });
    return { Status: 'FAILED', Reason: 'The index could not be created. The log of the function says why.' };
  } finally {
    engine.close();
  }
}
