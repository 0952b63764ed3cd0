import { SESSIONS } from '../../answers/session.ts';
import { type Clock, epochSeconds, hasCome, steadyClock } from '../../clock.ts';
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
import { GENERATIONS, generationPrefix } from '../page-registry.ts';
import { isUnswept, sweepTexts } from '../sweep-texts.ts';

type CleanUp = {
  readonly siteId: string;
  /** Messages of the same deletion or purge before this one. */
  readonly step?: number | undefined;
};

/** Asks for the removal of what a deletion, a purge or crawls of a site have left. */
export const sendCleanUp = (cleanUp: CleanUp, queue: Queue, delaySeconds = 0): Promise<void> =>
  queue.send('clean-up', { body: JSON.stringify(cleanUp), delaySeconds });

/**
 * Call it after a purge or the end of a job. If the message cannot be sent, the watchdog or the next job sends another.
 */
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
  /** The generation that a purge has begun: earlier ones are removed. */
  readonly generation?: number;
  /** Epoch seconds: when the last message was sent. */
  readonly continuedAt?: number;
  /** How many messages have led to the next. Messages of earlier steps are dropped, so that a site has one chain. */
  readonly step?: number;
};

export const tombstoneKey = (siteId: string): Key => ({ pk: 'DELETED', sk: `SITE#${siteId}` });
/** The item of a site's last purge, until its clean-up has ended. */
export const purgeKey = (siteId: string): Key => ({ pk: 'DELETED', sk: `PURGE#${siteId}` });

/** A crawl slice that was running when the site was deleted writes no longer than this. */
const STRAGGLERS_SECONDS = 150;
/** A clean-up that has not ended after this may have lost its message. */
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
 * Removes what a deleted site, a purge, older crawls or dead writers have left, for at most 60 s, then sends its
 * message again; after a deletion once more when no process can still write to the site. The tombstone is removed last,
 * so that a clean-up that crashed is found and continued; one after a crawl is continued by the next crawl's.
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
      (await sweepTexts(siteId, deadline, deps));
  if (!isFinished) return tombstone ? continueCleanUp(tombstone, deps) : sendCleanUp({ siteId }, queue);
  if (tombstone) await endCleanUp(tombstone, deleted !== undefined, deps);
}

/** Removes the tombstone, once no process can still write what was removed. */
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

/** Sends the next message, unless another message of the same step has done so. */
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

/** The system's time was set back since the deletion: from now on it counts as of this moment. */
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

/** Removes what the items of a site with this prefix stand for: their sort keys are partitions of their own. */
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

/** A sweep is a job with the id of its review. */
function partitionsOf({ sk, ...item }: Item): readonly string[] {
  if (sk.startsWith(REVIEWS)) return [sk, `JOB#${sk.slice(REVIEWS.length)}`];
  return sk.startsWith('JOB#') ? [jobKey(pointedJobId({ sk, ...item })).pk] : [sk];
}

/** Removes the index entries and texts of the generations below; false when time ran out. */
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

/** Removes the generations before that of the purge; false when time ran out. */
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

/** Sends the message of a clean-up again if it may have been lost. */
export async function resendCleanUps({
  table,
  queue,
  clock,
}: Pick<CleanUpDeps, 'table' | 'queue' | 'clock'>): Promise<void> {
  const { items } = await table.query<Tombstone>('DELETED', { limit: 500 });
  const isOverdue = ({ deletedAt, continuedAt = deletedAt }: Tombstone) =>
    hasCome(continuedAt + PATIENCE_SECONDS, epochSeconds(clock), PATIENCE_SECONDS);
  for (const { pk, sk, siteId, step = 0 } of items.filter(isOverdue)) {
    await sendCleanUp({ siteId, step }, queue);
    await table.update({ pk, sk }, { set: { continuedAt: epochSeconds(clock) }, when: { exists: true } });
  }
}

/** Call it at a start: a writer of the process before may have left texts that no row names. */
export async function cleanUpUnswept({ table, queue }: Pick<CleanUpDeps, 'table' | 'queue'>): Promise<void> {
  for (let siteId = await nextSite(undefined, table); siteId !== undefined; siteId = await nextSite(siteId, table))
    if (await isUnswept(siteId, table)) await sendCleanUp({ siteId }, queue);
}
