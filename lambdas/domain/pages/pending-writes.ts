import { defined } from '../../text/defined.ts';
import { type Clock, epochSeconds } from '../clock.ts';
import { UnavailableError } from '../errors.ts';
import { everyItem } from '../every-item.ts';
import type { SiteScope } from '../ports/page-index.ts';
import type { Item, Key, Table } from '../ports/table.ts';
import type { PageIdentity, RegisteredPage } from './page-registry.ts';

/*
 * A transaction that makes rows pending also writes one item that names their pages. The writer removes the item when
 * the pages are finished. If the writer dies, the watchdog finds the item and finishes the pages (finish-writes.ts).
 */

export type PendingPage = Pick<PageIdentity, 'url'> & {
  /** Revision of the pending row. If the row has another revision, another writer has replaced it. */
  readonly revision: number;
  /** Revision of the text, if the page is being removed. */
  readonly textRevision?: number;
  /** Whether nothing searchable has changed. */
  readonly keepsEntry?: boolean;
};

export type PendingWrite = SiteScope & {
  /** The crawl that began the write. While its job runs, its slices finish the write. */
  readonly jobId?: string;
  /** Epoch milliseconds. */
  readonly begunAt: number;
  readonly pages: readonly PendingPage[];
};

/** The writer, and the first revision of its batch. */
export type PendingBatch = {
  readonly site: SiteScope;
  readonly firstRevision: number;
  readonly jobId?: string | undefined;
};

/** A write is given up if it could not be finished for this long, for example because a page's text is lost. */
const GIVEN_UP_SECONDS = 7 * 86_400;

/** Longer than a request or an invocation takes to finish a write that it began, unless it has died. */
const ABANDONED_MS = 120_000;

export const PENDING_WRITES = 'PENDING';

/** Returns a unique key, because a site never uses a revision twice. */
export const pendingKey = ({ site, firstRevision }: Pick<PendingBatch, 'site' | 'firstRevision'>): Key => ({
  pk: PENDING_WRITES,
  sk: `SITE#${site.siteId}#${firstRevision}`,
});

export const pendingItem = (
  batch: PendingBatch,
  pages: readonly (Pick<PendingPage, 'textRevision' | 'keepsEntry'> & {
    readonly row: Pick<RegisteredPage, 'url' | 'revision'>;
  })[],
  clock: Clock,
): Item => ({
  ...pendingKey(batch),
  ...batch.site,
  ...defined({ jobId: batch.jobId }),
  begunAt: clock(),
  expiresAt: epochSeconds(clock) + GIVEN_UP_SECONDS,
  pages: pages.map(({ row: { url, revision }, textRevision, keepsEntry }) => ({
    url,
    revision,
    ...defined({ textRevision }),
    ...(keepsEntry && { keepsEntry }),
  })),
});

/** Removes the items of finished writes. In an outage they stay, and the watchdog finds nothing left to do. */
export async function endPendingWrites(keys: readonly Key[], table: Table): Promise<void> {
  if (keys.length === 0) return;
  try {
    await table.removeMany(keys);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
  }
}

export const abandonedBefore = (clock: Clock): number => clock() - ABANDONED_MS;

/** Returns whether the write began before a moment, or the system's time was set back since. */
export const isAbandoned = ({ begunAt }: Pick<PendingWrite, 'begunAt'>, begunBefore: number, clock: Clock): boolean =>
  begunAt < begunBefore || begunAt > clock();

/** Returns whether `finishWrites` has something to do. */
export async function hasPendingWrites(
  begunBefore: number,
  { table, clock }: { readonly table: Table; readonly clock: Clock },
): Promise<boolean> {
  for await (const write of pendingWrites(table)) if (isAbandoned(write, begunBefore, clock)) return true;
  return false;
}

export const pendingWrites = (table: Table) => everyItem<PendingWrite>(table, PENDING_WRITES, 'SITE#');

export const pendingWritesOf = (siteId: string, table: Table) =>
  everyItem<PendingWrite>(table, PENDING_WRITES, `SITE#${siteId}#`);
