import { urlHash } from '../../text/web/url.ts';
import { steadyClock } from '../clock.ts';
import type { Report } from '../errors.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Key } from '../ports/table.ts';
import { type SiteState, stateKey } from '../sites/site.ts';
import { type RegisteredPage, readRows } from './page-registry.ts';
import type { PageDeps } from './page-writer.ts';
import { isAbandoned, type PendingWrite, pendingWrites } from './pending-writes.ts';
import { rebuildEntries } from './rebuild-entries.ts';
import { removeMarkedPages } from './remove-pages.ts';
import { settle } from './write-pages.ts';

/** Less than the 55 s that the watchdog has for all its tasks. */
const TIME_MS = 30_000;

type FinishDeps = PageDeps & { readonly embedder: Embedder; readonly report: Report };

/**
 * Finishes page writes and removals that were begun before `begunBefore` (epoch milliseconds) and whose writer has
 * died. If the writer is still alive, both do the same. Works for at most 30 s; the next call continues.
 */
export async function finishWrites(begunBefore: number, given: FinishDeps): Promise<void> {
  const deps = { ...given, clock: steadyClock(given.clock) };
  const { table, clock, report } = deps;
  const deadline = clock() + TIME_MS;
  let site: { readonly siteId: string; readonly state: SiteState | undefined } | undefined;
  for await (const write of pendingWrites(table)) {
    if (clock() >= deadline) return;
    if (!isAbandoned(write, begunBefore, clock)) continue;
    const { siteId } = write;
    // The writes of a site follow each other in the list, and a crawl may have left many.
    if (site?.siteId !== siteId) site = { siteId, state: await table.get<SiteState>(stateKey(siteId)) };
    try {
      await finishWrite(write, site.state, deps);
    } catch (error) {
      report('pages that were written or deleted in part could not be finished', error);
    }
  }
}

async function finishWrite(write: PendingWrite & Key, state: SiteState | undefined, deps: FinishDeps): Promise<void> {
  const { generation, jobId } = write;
  // The clean-up removes the pages of an earlier generation.
  if (state?.generation === generation) {
    const isOfCrawl = jobId !== undefined && state.runningJobId === jobId;
    await finishPages(write, { isOfCrawl }, deps);
    if (isOfCrawl) return;
  }
  await deps.table.removeMany([write]);
}

/**
 * Runs steps 3 and 4 of write-pages.ts, or 2 and 3 of remove-pages.ts, for rows that nobody has replaced since. A
 * running crawl finishes its own rows, but they are made searchable here.
 */
async function finishPages(
  { siteId, generation, pages }: PendingWrite,
  { isOfCrawl }: { readonly isOfCrawl: boolean },
  deps: FinishDeps,
): Promise<void> {
  const site = { siteId, generation };
  const begun = new Map(pages.map((page) => [urlHash(page.url), page]));
  const identities = [...begun].map(([hash, { url }]) => ({ url, urlHash: hash }));
  const pending = [...(await readRows(site, identities, deps.table)).values()].filter(
    (row) => row.pending && row.revision === begun.get(row.urlHash)?.revision,
  );
  const marked = pending
    .filter(({ removing }) => removing)
    .map((row) => ({ row, textRevision: begun.get(row.urlHash)?.textRevision ?? row.revision }));
  const writer = { site, visible: 'soon' } as const;
  if (!isOfCrawl) await removeMarkedPages(marked, writer, deps);
  const registered = pending.filter(({ removing }) => !removing);
  const entries = await rebuildEntries(site, registered, { index: deps.pageIndex, embedder: deps.embedder }, deps);
  if (isOfCrawl) return;
  const isIndexed = (row: RegisteredPage): boolean =>
    entries.some((entry) => entry.urlHash === row.urlHash && entry.revision === row.revision);
  await Promise.all(registered.filter(isIndexed).map((row) => settle(row, writer, deps)));
}
