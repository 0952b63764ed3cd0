import { setTimeout as delay } from 'node:timers/promises';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import * as z from 'zod';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { openSearchClient } from '../adapters/aws/opensearch/client.ts';
import { ensureIndex } from '../adapters/aws/opensearch/index-admin.ts';
import { configuredKind, newIndexName } from '../adapters/aws/opensearch/open-index.ts';
import { requireEnv } from '../adapters/aws/require-env.ts';
import { UnavailableError } from '../core/errors.ts';
import { ensureSearchedIndex } from '../core/reindexing/ensure-index.ts';
import type { IndexKind, RegisteredIndex } from '../core/reindexing/index-registry.ts';
import { log } from '../runtime/log.ts';
import { clock, newId } from '../runtime/system.ts';

/** CloudFormation makes strings of numbers. */
const Size = z.object({ shards: z.coerce.number().int().min(1), replicas: z.coerce.number().int().min(0) });

/** A role that was just made is not known everywhere at once. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 5_000;
/** Longer than a function may run: by then what was begun by code of before has ended. */
const STRAGGLERS_SECONDS = 150;

/**
 * Runs when the stack is deployed: creates the index of the embedding space unless it is there, and sends for the pages of another one
 * that was searched before. It never changes or removes one, so that neither an update nor a deletion of the stack loses anything.
 */
export async function handler(event: CloudFormationCustomResourceEvent): Promise<void> {
  const answer = event.RequestType === 'Delete' ? { Status: 'SUCCESS' } : await create(event.ResourceProperties);
  const { StackId, RequestId, LogicalResourceId } = event;
  const body = JSON.stringify({ ...answer, StackId, RequestId, LogicalResourceId, PhysicalResourceId: 'index' });
  // As bytes: the address is signed for a request without a content type.
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
    await retryWhileUnavailable(
      async () => void (await ensureSearchedIndex(configuredKind, deps)),
      clock() + PATIENCE_MS,
    );
    return { Status: 'SUCCESS' };
  } catch (error) {
    log('error', 'the index was not created', { error });
    return { Status: 'FAILED', Reason: 'The index could not be created: the log of the function says why' };
  } finally {
    engine.close();
  }
}

async function retryWhileUnavailable(run: () => Promise<void>, until: number): Promise<void> {
  while (true) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof UnavailableError) || clock() > until) throw error;
      await delay(PAUSE_MS);
    }
  }
}
