import { type Clock, epochSeconds } from '../clock.ts';
import type { PageIndex } from '../ports/page-index.ts';
import type { PageStore } from '../ports/page-store.ts';
import type { Queue } from '../ports/queue.ts';
import type { Key, Table } from '../ports/table.ts';

type Tombstone = { readonly siteId: string; readonly deletedAt: number };

export const tombstoneKey = (siteId: string): Key => ({ pk: 'DELETED', sk: `SITE#${siteId}` });

export const sendCleanUp = (siteId: string, queue: Queue, delaySeconds = 0): Promise<void> =>
  queue.send('clean-up', { body: JSON.stringify({ siteId }), delaySeconds });

/** A crawl slice that was running when the site was deleted writes no longer than this. */
const STRAGGLERS_SECONDS = 150;
const BATCH = 500;
const TIME_MS = 60_000;

type CleanUpDeps = {
  readonly table: Table;
  readonly pageStore: PageStore;
  readonly pageIndex: PageIndex;
  readonly queue: Queue;
  readonly clock: Clock;
};

/**
 * Removes the contents of a deleted site, for at most 60 s, then sends its message again; and once more when no process
 * can still write to the site. The tombstone is removed last, so that a clean-up that crashed is found and continued.
 */
export async function cleanUpSite(siteId: string, deps: CleanUpDeps): Promise<void> {
  const tombstone = await deps.table.get<Tombstone>(tombstoneKey(siteId));
  if (!tombstone) return;
  const finished = await removeContents(siteId, deps, deps.clock() + TIME_MS);
  if (!finished) return sendCleanUp(siteId, deps.queue);
  const age = epochSeconds(deps.clock) - tombstone.deletedAt;
  if (age < STRAGGLERS_SECONDS) return sendCleanUp(siteId, deps.queue, STRAGGLERS_SECONDS - age);
  await deps.table.removeMany([tombstoneKey(siteId)]);
}

async function removeContents(
  siteId: string,
  { table, pageStore, pageIndex, clock }: CleanUpDeps,
  deadline: number,
): Promise<boolean> {
  while (!(await pageIndex.removeBelow(siteId, Infinity, BATCH))) if (clock() > deadline) return false;
  while (!(await pageStore.removeBelow(siteId, Infinity, BATCH))) if (clock() > deadline) return false;
  for (;;) {
    const jobs = await table.query(`SITE#${siteId}`, { prefix: 'JOB#', limit: 50 });
    for (const { sk } of jobs.items) if (!(await removeAll(sk, table, clock, deadline))) return false;
    await table.removeMany(jobs.items);
    if (!jobs.next && jobs.items.length === 0) break;
  }
  return removeAll(`SITE#${siteId}`, table, clock, deadline);
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
  const { items } = await table.query<Tombstone>('DELETED', { prefix: 'SITE#', limit: 100 });
  const overdue = epochSeconds(clock) - 2 * STRAGGLERS_SECONDS;
  for (const { siteId, deletedAt } of items) if (deletedAt < overdue) await sendCleanUp(siteId, queue);
}
