import { everyItem } from '../../../lambdas/domain/every-item.ts';
import { indexEntries } from '../../../lambdas/domain/pages/index-entry.ts';
import { pageKey, type RegisteredPage, readRows } from '../../../lambdas/domain/pages/page-registry.ts';
import {
  type PageDeps,
  type PageDraft,
  type PageWriter,
  reserveRevisions,
} from '../../../lambdas/domain/pages/page-writer.ts';
import { endPendingWrites, pendingItem } from '../../../lambdas/domain/pages/pending-writes.ts';
import {
  type MarkedPage,
  markedPage,
  markedRow,
  removeMarkedPages,
} from '../../../lambdas/domain/pages/remove-pages.ts';
import { preparePages, settledRow, stagePages } from '../../../lambdas/domain/pages/write-pages.ts';
import type { Change } from '../../../lambdas/domain/ports/table.ts';
import { type Act, somePages } from './actors.ts';
import { draftOf, PAGES, type PageName } from './draft.ts';
import type { WriteWorld } from './write-world.ts';

const JOB_ID = 'job';
const JOB = { pk: `JOB#${JOB_ID}`, sk: 'JOB' };
const DEMOTIONS = 'DEMOTE#';
const ATTEMPTS = 3;

/** Writes like a crawl's commit: under a lease, and with the rows settled in the write that counts the visits. */
export const crawl: Act = async (world, process) => {
  const deps = world.depsOf(process);
  const claimed = await deps.table.update<{ fence: number }>(JOB, { add: { fence: 1 } });
  const guard = { check: JOB, when: { equals: { fence: claimed?.fence ?? 0 } } };
  const { site } = world;
  const writer: PageWriter = {
    site,
    visible: 'soon',
    guard,
    jobId: JOB_ID,
    reserve: (count) => reserveRevisions(site, count, deps.table),
    makeEntries: async (pages) => ({ entries: await indexEntries(pages, deps.embedder), unembedded: false }),
  };
  await finishDemotions(writer, deps);
  const visits = {
    pages: somePages(world),
    title: `crawled ${world.random.int(1, 2)}`,
    links: `/${world.random.int(1, 2)}`,
  };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++)
    if (await commit(visits, writer, deps, world)) return finishDemotions(writer, deps);
};

type Visits = { readonly pages: readonly PageName[]; readonly title: string; readonly links: string };

/** Answers false if another writer has come first. */
async function commit(visits: Visits, writer: PageWriter, deps: PageDeps, world: WriteWorld): Promise<boolean> {
  const { site, guard } = writer;
  const rows = await readRows(site, PAGES, deps.table);
  const drafts = draftsOf(visits, rows);
  const prepared = await preparePages(drafts, writer, deps.pageStore);
  if (!prepared) return true;
  const { written, pending } = await stagePages(prepared, writer, deps);
  if ([...written.values()].includes('revoked')) return true;
  const registered = [...written.values()].filter((row) => typeof row === 'object');
  if (registered.length < drafts.length) return false;
  const confirmed = confirmedRows(visits, rows);
  const others = [...rows.values()].filter(({ url }) => !visits.pages.some((page) => page.url === url));
  const changes: readonly Change[] = [
    ...registered.map((row) => settledRow(site, row)),
    ...confirmed.map((row) => ({
      put: { ...pageKey(site.siteId, site.generation, row), ...row, crawledAt: visits.links },
      when: { equals: { revision: row.revision } },
    })),
    ...(await demotion(others, writer, deps, world)),
  ];
  const refused = await deps.table.write([{ update: JOB, add: { commits: 1 }, when: guard?.when ?? {} }, ...changes]);
  if (changes.some((change) => refused.includes(change))) return false;
  if (refused.length > 0) return true; // another holder has the lease
  await endPendingWrites(pending, deps.table);
  for (const row of registered) world.watch.written(row, site.generation);
  return true;
}

const isUnchanged = (row: RegisteredPage | undefined, { title }: Visits): row is RegisteredPage =>
  row?.source === 'crawl' && !row.pending && row.contentHash === title;

/** The pages whose content or links have changed. */
const draftsOf = (visits: Visits, rows: ReadonlyMap<string, RegisteredPage>): readonly PageDraft[] =>
  visits.pages.flatMap((page) => {
    const before = rows.get(page.urlHash);
    if (before?.source === 'ingest' && !before.pending) return [];
    const keepsEntry = isUnchanged(before, visits);
    if (keepsEntry && before.linksHash === visits.links) return [];
    return { ...draftOf(page, before, 'crawl', visits), keepsEntry };
  });

const confirmedRows = (visits: Visits, rows: ReadonlyMap<string, RegisteredPage>): readonly RegisteredPage[] =>
  visits.pages.flatMap((page) => {
    const row = rows.get(page.urlHash);
    return isUnchanged(row, visits) && row.linksHash === visits.links ? row : [];
  });

/** Marks a settled page for removal, sometimes. */
async function demotion(
  rows: readonly RegisteredPage[],
  { site, reserve }: PageWriter,
  { table, clock }: PageDeps,
  { random }: WriteWorld,
): Promise<readonly Change[]> {
  const [row] = rows.filter(({ source, pending }) => source === 'crawl' && !pending);
  if (!row || !random.chance(0.4)) return [];
  const revision = await reserve(1);
  if (revision === undefined) return [];
  const page = markedPage(row, revision);
  await table.putMany([pendingItem({ site, firstRevision: revision, jobId: JOB_ID }, [page], clock)]);
  return [
    { put: { pk: JOB.pk, sk: DEMOTIONS + row.urlHash, ...page, generation: site.generation } },
    markedRow(site, page),
  ];
}

async function finishDemotions(
  { site, guard }: Pick<PageWriter, 'site' | 'guard'>,
  deps: ReturnType<WriteWorld['depsOf']>,
): Promise<void> {
  for await (const item of everyItem<MarkedPage & { generation: number }>(deps.table, JOB.pk, DEMOTIONS)) {
    const { pk, sk, row, textRevision, generation } = item;
    const alsoWritten = [{ remove: { pk, sk } }];
    const remover = { site: { ...site, generation }, visible: 'soon', ...(guard && { guard }) } as const;
    const page = { row, textRevision, alsoWritten };
    const removed = (await removeMarkedPages([page], remover, deps)).get(page);
    if (removed === 'overtaken') await deps.table.write([...(guard ? [guard] : []), ...alsoWritten]);
  }
}
