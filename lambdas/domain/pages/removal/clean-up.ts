import { SESSIONS } from '../../answers/session.ts';
import { type Clock, epochSeconds, isDue, steadyClock } from '../../clock.ts';
import { forgetJobPages } from '../../crawl/jobs/forget-job-pages.ts';
import { jobKey, pointedJobId } from '../../crawl/jobs/job.ts';
import { REVIEWS } from '../../crawl/reviews/review.ts';
import { UnavailableError } from '../../errors.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { PageRemover } from '../../ports/page-index.ts';
import type { PageStore } from '../../ports/page-store.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Item, Key, Table } from '../../ports/table.ts';
import type { Timetable } from '../../ports/timetable.ts';
import { nextSite } from '../../sites/site-directory.ts';
import { collectTexts, hasUncollectedTexts } from '../collect-texts.ts';
import { GENERATIONS, generationPrefix } from '../page-registry.ts';

type CleanUp = {
  readonly siteId: string;
  /** Number of messages that the same deletion or purge has already sent. */
  readonly step?: number | undefined;
};

/** Sends a message to remove what a deletion, a purge or crawls of a site have left. */
export const sendCleanUp = (cleanUp: CleanUp, queue: Queue, delaySeconds = 0): Promise<void> =>
  queue.send('clean-up', { body: JSON.stringify(cleanUp), delaySeconds });

/** Sends the message after a purge or the end of a job. If that fails, the watchdog or the next job sends another. */
export async function announceCleanUp(siteId: string, queue: Queue): Promise<void> {
  try {
    await sendCleanUp({ siteId }, queue);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
  }
}

type Tombstone = {
  readonly siteId: string;
  readonly deletedAt: number;
  /** The generation that a purge has begun. Earlier ones are removed. */
  readonly generation?: number;
  /** Epoch seconds at which the last message was sent. */
  readonly continuedAt?: number;
  /**
   * Number of the next message. Messages of earlier steps are dropped, so that a site has a single chain of messages.
   */
  readonly step?: number;
};

export const tombstoneKey = (siteId: string): Key => ({ pk: 'DELETED', sk: `SITE#${siteId}` });
/** Returns the key of a site's last purge. The item exists until the clean-up of the purge has ended. */
export const purgeKey = (siteId: string): Key => ({ pk: 'DELETED', sk: `PURGE#${siteId}` });

/** Longer than a crawl slice that was running when the site was deleted still writes. */
const STRAGGLERS_SECONDS = 150;
/** A clean-up that has not continued for this long may have lost its message. */
const PATIENCE_SECONDS = 2 * STRAGGLERS_SECONDS;
const BATCH = 500;
const TIME_MS = 60_000;

type CleanUpDeps = {
  readonly table: Table;
  readonly pageStore: PageStore;
  readonly pageIndex: PageRemover;
  readonly eventLog: Pick<EventLog, 'removeSite'>;
  readonly queue: Queue;
  readonly timetable: Timetable;
  readonly clock: Clock;
};

/**
 * Removes for at most 60 s what a deleted site, a purge, older crawls or dead writers have left, then sends its message
 * again. After a deletion it runs once more when no process can still write to the site. The tombstone is removed last,
 * so that a crashed clean-up is found and continued. A clean-up after a crawl is continued after the next crawl.
 */
export async function cleanUpSite({ siteId, step = 0 }: CleanUp, given: CleanUpDeps): Promise<void> {
  const deps = { ...given, clock: steadyClock(given.clock) };
  const { table, queue, clock } = deps;
  const deadline = clock() + TIME_MS;
  const [deleted, purged] = await table.getMany<Tombstone>([tombstoneKey(siteId), purgeKey(siteId)]);
  const tombstone = deleted ?? purged;
  if (tombstone && step !== (tombstone.step ?? 0)) return;
  const isFinished = deleted
    ? await removeContents(siteId, deps, deadline)
    : (!purged || (await removeGenerations(purged, deps, deadline))) &&
      (await forgetJobPages(siteId, deadline, deps)) &&
      (await collectTexts(siteId, deadline, deps));
  if (!isFinished) return tombstone ? continueCleanUp(tombstone, deps) : sendCleanUp({ siteId }, queue);
  if (tombstone) await endCleanUp(tombstone, deleted !== undefined, deps);
}

/** Removes the tombstone once no process can still write what was removed. */
async function endCleanUp(tombstone: Tombstone & Key, isDeletion: boolean, deps: CleanUpDeps): Promise<void> {
  const { table, clock } = deps;
  const { siteId } = tombstone;
  const left = tombstone.deletedAt + STRAGGLERS_SECONDS - epochSeconds(clock);
  if (left > STRAGGLERS_SECONDS) await putInPast(tombstone, deps);
  if (left > 0) return continueCleanUp(tombstone, deps, Math.min(left, STRAGGLERS_SECONDS));
  if (isDeletion) return table.removeMany([tombstoneKey(siteId), purgeKey(siteId)]);
  // A later purge has its own message.
  await table.write([{ remove: purgeKey(siteId), when: { equals: { generation: tombstone.generation ?? null } } }]);
}

/** Sends the next message, unless another message of the same step has sent it. */
async function continueCleanUp(
  { pk, sk, siteId, step = 0 }: Tombstone & Key,
  { table, queue, clock }: CleanUpDeps,
  delaySeconds = 0,
): Promise<void> {
  const next = { step: step + 1, continuedAt: epochSeconds(clock) };
  const isCurrent = await table.update(
    { pk, sk },
    { set: next, when: { exists: true, equals: { step: step || [null, 0] } } },
  );
  if (isCurrent) await sendCleanUp({ siteId, step: next.step }, queue, delaySeconds);
}

/** Moves the deletion to the present, because the system's time was set back since. */
async function putInPast({ pk, sk, deletedAt }: Tombstone & Key, { table, clock }: CleanUpDeps): Promise<void> {
  await table.update({ pk, sk }, { set: { deletedAt: epochSeconds(clock) }, when: { equals: { deletedAt } } });
}

async function removeContents(siteId: string, deps: CleanUpDeps, deadline: number): Promise<boolean> {
  const { table, timetable, eventLog, clock } = deps;
  await timetable.remove(siteId);
  while (!(await eventLog.removeSite(siteId, BATCH))) if (clock() > deadline) return false;
  if (!(await removeIndexed(siteId, Infinity, deps, deadline))) return false;
  for (const prefix of ['JOB#', REVIEWS, SESSIONS])
    if (!(await removePartitions(siteId, prefix, deps, deadline))) return false;
  return removeAll(`SITE#${siteId}`, table, clock, deadline);
}

/** Removes a site's items with this prefix and the partitions that their sort keys name. */
async function removePartitions(
  siteId: string,
  prefix: string,
  { table, clock }: CleanUpDeps,
  deadline: number,
): Promise<boolean> {
  for (;;) {
    const { items, next } = await table.query(`SITE#${siteId}`, { prefix, limit: 50 });
    for (const item of items)
      for (const pk of partitionsOf(item)) if (!(await removeAll(pk, table, clock, deadline))) return false;
    await table.removeMany(items);
    if (!next && items.length === 0) return true;
  }
}

/** Returns the partitions of an item. A sweep is a job with the id of its review. */
function partitionsOf({ sk, ...item }: Item): readonly string[] {
  if (sk.startsWith(REVIEWS)) return [sk, `JOB#${sk.slice(REVIEWS.length)}`];
  return sk.startsWith('JOB#') ? [jobKey(pointedJobId({ sk, ...item })).pk] : [sk];
}

/** Removes the index entries and texts of generations below `below`. Returns false if time ran out. */
async function removeIndexed(
  siteId: string,
  below: number,
  { pageStore, pageIndex, clock }: CleanUpDeps,
  deadline: number,
): Promise<boolean> {
  while (!(await pageIndex.removeBelow(siteId, below, BATCH))) if (clock() > deadline) return false;
  while (!(await pageStore.removeBelow(siteId, below, BATCH))) if (clock() > deadline) return false;
  return true;
}

/** Removes the generations before that of the purge. Returns false if time ran out. */
async function removeGenerations(
  { siteId, generation = 0 }: Tombstone,
  deps: CleanUpDeps,
  deadline: number,
): Promise<boolean> {
  const { table, clock } = deps;
  if (!(await removeIndexed(siteId, generation, deps, deadline))) return false;
  for (;;) {
    const { items, next } = await table.query(`SITE#${siteId}`, { prefix: GENERATIONS, limit: BATCH });
    const old = items.filter(({ sk }) => sk < generationPrefix(generation));
    await table.removeMany(old);
    if (old.length < items.length || next === undefined) return true;
    if (clock() > deadline) return false;
  }
}

async function removeAll(pk: string, table: Table, clock: Clock, deadline: number): Promise<boolean> {
  for (;;) {
    const page = await table.query(pk, { limit: BATCH });
    await table.removeMany(page.items);
    if (page.next === undefined) return true;
    if (clock() > deadline) return false;
  }
}

/** Sends the message of a clean-up again if it may be lost. */
export async function resendCleanUps({
  table,
  queue,
  clock,
}: Pick<CleanUpDeps, 'table' | 'queue' | 'clock'>): Promise<void> {
  const { items } = await table.query<Tombstone>('DELETED', { limit: 500 });
  const isOverdue = ({ deletedAt, continuedAt = deletedAt }: Tombstone) =>
    isDue(continuedAt + PATIENCE_SECONDS, epochSeconds(clock), PATIENCE_SECONDS);
  for (const { pk, sk, siteId, step = 0 } of items.filter(isOverdue)) {
    await sendCleanUp({ siteId, step }, queue);
    await table.update({ pk, sk }, { set: { continuedAt: epochSeconds(clock) }, when: { exists: true } });
  }
}

/**
 * Starts a clean-up of sites that may have unused texts. Call it at a start: a writer of the previous process may have
 * died.
 */
export async function cleanUpUnswept({ table, queue }: Pick<CleanUpDeps, 'table' | 'queue'>): Promise<void> {
  for (let siteId = await nextSite(undefined, table); siteId !== undefined; siteId = await nextSite(siteId, table))
    if (await hasUncollectedTexts(siteId, table)) await sendCleanUp({ siteId }, queue);
}
