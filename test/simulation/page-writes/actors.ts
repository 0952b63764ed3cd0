import { embedPages } from '../../../lambdas/core/pages/embed-later.ts';
import { indexEntries } from '../../../lambdas/core/pages/index-entry.ts';
import { type RegisteredPage, readRows } from '../../../lambdas/core/pages/page-registry.ts';
import { type EntryMaker, reserveRevisions, siteWriter } from '../../../lambdas/core/pages/page-writer.ts';
import { removePages } from '../../../lambdas/core/pages/remove-pages.ts';
import { writePages } from '../../../lambdas/core/pages/write-pages.ts';
import { backfillPages } from '../../../lambdas/core/reindexing/backfill.ts';
import type { PagePosition } from '../../../lambdas/core/reindexing/index-registry.ts';
import { stateKey } from '../../../lambdas/core/sites/site.ts';
import type { SimulatedProcess } from '../simulated-process.ts';
import { draftOf, PAGES, type PageName } from './draft.ts';
import { SITE_ID, type WriteWorld } from './write-world.ts';

/** Something that is done to the site in a process, which may die at any call. */
export type Act = (world: WriteWorld, process: SimulatedProcess) => Promise<void>;

const ATTEMPTS = 3;

/** One or more pages. */
export const somePages = ({ random }: WriteWorld): readonly PageName[] => {
  const start = random.int(0, PAGES.length - 1);
  return PAGES.slice(start, start + random.int(1, 3));
};

/** As a request that adds pages does it, with vectors or without. */
export const ingest: Act = async (world, process) => {
  const deps = world.depsOf(process);
  const { site } = world;
  const maxPages = world.random.pick([2, 10, 10]);
  const unembedded = world.random.chance(0.3);
  const makeEntries: EntryMaker = async (pages) => ({ entries: await indexEntries(pages, deps.embedder), unembedded });
  const title = `ingested ${world.nextVersion()}`;
  let left = somePages(world);
  for (let attempt = 0; attempt < ATTEMPTS && left.length > 0; attempt++) {
    const rows = await readRows(site, left, deps.table);
    const drafts = new Map(left.map((page) => [page, draftOf(page, rows.get(page.urlHash), 'ingest', { title })]));
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

/** As a delete by URL does it. The caller that removed a page gets it in the answer, and no other caller does. */
export const remove: Act = async (world, process) => {
  const deps = world.depsOf(process);
  const { site } = world;
  const rows = [...(await readRows(site, somePages(world), deps.table)).values()];
  world.watch.takeRemoved(process);
  const reserve = (count: number) => reserveRevisions(site, count, deps.table);
  const result = await removePages(rows, { site, reserve, visible: 'now' }, deps);
  const answered = [...result].flatMap(([row, removed]) => (typeof removed === 'object' ? { row, removed } : []));
  checkAnswer(answered, world.watch.takeRemoved(process), world);
};

function checkAnswer(
  answered: readonly { readonly row: RegisteredPage; readonly removed: { readonly chunks: number } }[],
  removed: readonly RegisteredPage[],
  world: WriteWorld,
): void {
  const claimed = answered.map(({ row: { url }, removed: { chunks } }) => `${url} ${chunks}`);
  const done = removed.map(({ url, chunks }) => `${url} ${chunks}`);
  // With faults, a removal may be done whose answer was lost.
  const isComplete = world.faults.areNone ? done.length === claimed.length : true;
  if (!isComplete || claimed.some((page) => !done.includes(page)))
    world.report(`${claimed} is answered as removed, and ${done} was`);
}

/** Adds vectors to all pages that lack them. */
export const embed: Act = async (world, process) => {
  const urls = PAGES.map(({ url }) => url);
  await embedPages({ ...world.site, urls, attempt: 0 }, world.depsOf(process));
};

export const purge: Act = (world, process) =>
  world
    .tableOf(process)
    .update(stateKey(SITE_ID), { add: { generation: 1 }, set: { pageCount: 0 } })
    .then(() => undefined);

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
