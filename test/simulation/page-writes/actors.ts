import { embedPages } from '../../../lambdas/domain/pages/embed-later.ts';
import { finishWrites } from '../../../lambdas/domain/pages/finish-writes.ts';
import { indexEntries } from '../../../lambdas/domain/pages/index-entry.ts';
import { nextPages } from '../../../lambdas/domain/pages/page-batch.ts';
import { type RegisteredPage, readRows } from '../../../lambdas/domain/pages/page-registry.ts';
import { type EntryMaker, siteWriter } from '../../../lambdas/domain/pages/page-writer.ts';
import { refillPages } from '../../../lambdas/domain/pages/refill-pages.ts';
import { backfillPages } from '../../../lambdas/domain/pages/reindexing/backfill.ts';
import type { PagePosition } from '../../../lambdas/domain/pages/reindexing/index-registry.ts';
import { cleanUpSite, purgeKey } from '../../../lambdas/domain/pages/removal/clean-up.ts';
import { type DeletedPages, deletePages } from '../../../lambdas/domain/pages/removal/delete-pages.ts';
import { purgeSite } from '../../../lambdas/domain/pages/removal/purge-site.ts';
import { writePages } from '../../../lambdas/domain/pages/write-pages.ts';
import { sourcedFields } from '../../../lambdas/text/fields/field-source.ts';
import { tableTimetable } from '../../../local/sqlite/timetable.ts';
import type { SimulatedProcess } from '../simulated-process.ts';
import { NO_EVENTS } from '../workers.ts';
import { draftOf, KEYS, PAGES, type PageName } from './draft.ts';
import { ORG_ID, SITE_ID, type WriteWorld } from './write-world.ts';

/** Something that is done to the site in a process, which may die at any call. */
export type Act = (world: WriteWorld, process: SimulatedProcess) => Promise<void>;

const ATTEMPTS = 3;

/** Returns one or more pages. */
export const somePages = ({ random }: WriteWorld): readonly PageName[] => {
  const start = random.int(0, PAGES.length - 1);
  return PAGES.slice(start, start + random.int(1, 3));
};

/** Adds pages like a request, with vectors or without. */
export const ingest: Act = async (world, process) => {
  const deps = world.depsOf(process);
  const { site } = world;
  const maxPages = world.random.pick([2, 10, 10]);
  const unembedded = world.random.chance(0.3);
  const makeEntries: EntryMaker = async (pages) => ({ entries: await indexEntries(pages, deps.embedder), unembedded });
  const title = `ingested ${world.nextVersion()}`;
  const key = world.random.pick([undefined, ...KEYS]);
  let left = somePages(world);
  for (let attempt = 0; attempt < ATTEMPTS && left.length > 0; attempt++) {
    const rows = await readRows(site, left, deps.table);
    const drafts = new Map(left.map((page) => [page, draftOf(page, rows.get(page.urlHash), 'ingest', { title, key })]));
    const written = await writePages(
      [...drafts.values()],
      siteWriter(site, { makeEntries, maxPages }, deps.table),
      deps,
    );
    for (const row of written.values()) if (typeof row === 'object') world.watch.written(row, site.generation);
    left = left.filter((page) => {
      const draft = drafts.get(page);
      return draft && written.get(draft) === 'overtaken';
    });
  }
};

/** A request to delete pages by URL, key or pattern. It counts the pages that it removed, and no other request does. */
export const remove: Act = async (world, process) => {
  const urls = somePages(world).map(({ url }) => url);
  const request = world.random.pick([{ urls }, { urls }, { keys: [world.random.pick(KEYS)] }, { patterns: ['/a*'] }]);
  world.watch.takeRemoved(process);
  const answer = await deletePages({ siteId: SITE_ID, ...request }, { orgId: ORG_ID }, world.depsOf(process));
  checkAnswer(answer, world.watch.takeRemoved(process), world);
};

function checkAnswer(
  { deletedPages, deletedChunks }: DeletedPages,
  removed: readonly RegisteredPage[],
  world: WriteWorld,
): void {
  const chunks = removed.reduce((sum, page) => sum + page.chunks, 0);
  // With faults, a removal whose answer was lost may have been done.
  const isExact = world.faults.areNone ? deletedPages === removed.length : deletedPages <= removed.length;
  const hasChunks = deletedPages === removed.length ? deletedChunks === chunks : deletedChunks <= chunks;
  if (!isExact || !hasChunks)
    world.report(`${deletedPages} pages are answered as removed, and ${removed.map(({ url }) => url)} were`);
}

/** Adds vectors to all pages that lack them. */
export const embed: Act = async (world, process) => {
  const urls = PAGES.map(({ url }) => url);
  await embedPages({ ...world.site, urls, attempt: 0 }, world.depsOf(process));
};

/** Changes the metadata schema, which names one field, the other, or none. */
export const refill: Act = async (world, process) => {
  const deps = world.depsOf(process);
  const from = { urlPattern: '/*' };
  const fields = world.random.pick([
    [],
    [{ name: 'one', type: 'string', from } as const],
    [{ name: 'two', type: 'string', from } as const],
  ]);
  const makeEntries: EntryMaker = async (pages) => ({
    entries: await indexEntries(pages, deps.embedder),
    unembedded: false,
  });
  const { rows } = await nextPages(world.site, undefined, deps.table);
  await refillPages(rows, world.site, sourcedFields(fields), { ...deps, makeEntries });
};

/** The answer is the number of pages that the site had in the write of the purge. */
export const purge: Act = async (world, process) => {
  const pages = await purgeSite(SITE_ID, { orgId: ORG_ID }, world.depsOf(process));
  world.watch.purged(process, pages);
};

export const cleanUp: Act = async (world, process) => {
  const deps = world.depsOf(process);
  const tombstone = await deps.table.get<{ step?: number }>(purgeKey(SITE_ID));
  return cleanUpSite(
    { siteId: SITE_ID, step: tombstone?.step },
    { ...deps, eventLog: NO_EVENTS, timetable: tableTimetable(deps) },
  );
};
/** Finishes writes like the watchdog, but also those of living writers. */
export const finish: Act = (world, process) => finishWrites(world.scheduler.now, world.depsOf(process));

/** Fills the new index, going on where the last one stopped. */
export function backfill(): Act & { isDone: boolean } {
  let after: PagePosition | undefined;
  const act = async (world: WriteWorld, process: SimulatedProcess): Promise<void> => {
    const deps = world.depsOf(process);
    do {
      after = await backfillPages(SITE_ID, after, world.openedBy(process, 'new'), deps);
    } while (after);
    filling.isDone = true;
  };
  const filling = Object.assign(act, { isDone: false });
  return filling;
}
