import type { Embedder } from '../ports/embedder.ts';
import { type SiteState, stateKey } from '../sites/site.ts';
import type { FaultyPage, PageFault, SiteComparison } from './compare-site.ts';
import { indexEntries } from './index-entry.ts';
import type { RegisteredPage } from './page-registry.ts';
import { type PageDeps, type PageDraft, reserveRevisions, siteWriter } from './page-writer.ts';
import { MAX_REMOVED, removePages } from './remove-pages.ts';
import { readStoredPages } from './stored-page.ts';
import { writePages } from './write-pages.ts';

/** Number of pages that, with their keys and texts, fit into the 100 changes of a write. */
const PAGES_PER_WRITE = 14;
const ENTRIES_PER_REMOVAL = 500;

type RepairDeps = PageDeps & { readonly embedder: Embedder };

/**
 * Makes registry, index and page count of a site agree. It follows the protocol of all writers, so it may run at the
 * same time and skips pages that others write. A page whose text is lost is unchanged until the next crawl or ingest.
 */
export async function repairSite({ faulty, ...site }: SiteComparison, deps: RepairDeps): Promise<void> {
  const { table, pageIndex } = deps;
  const embedded = async (pages: Parameters<typeof indexEntries>[0]) => ({
    entries: await indexEntries(pages, deps.embedder),
    unembedded: false,
  });
  const writer = siteWriter(site, { makeEntries: embedded }, table);
  await skipRevisions(site, Math.max(0, ...faulty.map(({ indexedRevision = 0 }) => indexedRevision)), deps);
  const rows = rowsWith(faulty, ['pending', 'notIndexed', 'outdated']);
  const removing = rows.filter((row) => row.removing);
  for (let from = 0; from < removing.length; from += MAX_REMOVED)
    await removePages(removing.slice(from, from + MAX_REMOVED), writer, deps);
  const written = rows.filter((row) => !row.removing);
  for (let from = 0; from < written.length; from += PAGES_PER_WRITE)
    await writePages(await drafts(written.slice(from, from + PAGES_PER_WRITE), site, deps), writer, deps);
  const unregistered = faulty.filter(({ fault }) => fault === 'notRegistered');
  for (let from = 0; from < unregistered.length; from += ENTRIES_PER_REMOVAL)
    await pageIndex.remove(
      unregistered.slice(from, from + ENTRIES_PER_REMOVAL).map(({ urlHash, indexedRevision: revision = 0 }) => ({
        siteId: site.siteId,
        generation: site.generation,
        urlHash,
        revision,
      })),
      { visible: 'now' },
    );
}

/** Sets the site's page count, unless pages were written since they were counted. */
export async function repairCount(
  { siteId, generation, pages, pageCount, isBusy }: SiteComparison,
  { table }: Pick<RepairDeps, 'table'>,
): Promise<void> {
  if (isBusy || pages === pageCount) return;
  const when = { exists: true, equals: { generation, pageCount } };
  await table.update(stateKey(siteId), { set: { pageCount: pages }, when });
}

const rowsWith = (faulty: readonly FaultyPage[], faults: readonly PageFault[]): readonly RegisteredPage[] =>
  faulty.flatMap(({ fault, row }) => (row && faults.includes(fault) ? row : []));

/**
 * Raises the site's revision above those in the index, which ignores lower ones. They may be lower, for example, after
 * the table was restored from a backup.
 */
async function skipRevisions(
  site: Pick<SiteComparison, 'siteId' | 'generation'>,
  indexed: number,
  { table }: Pick<RepairDeps, 'table'>,
): Promise<void> {
  const { revision = 0 } = (await table.get<SiteState>(stateKey(site.siteId))) ?? {};
  if (indexed > revision) await reserveRevisions(site, indexed - revision, table);
}

async function drafts(
  rows: readonly RegisteredPage[],
  site: Pick<SiteComparison, 'siteId' | 'generation'>,
  { pageStore }: Pick<RepairDeps, 'pageStore'>,
): Promise<readonly PageDraft[]> {
  const stored = await readStoredPages(site, rows, pageStore);
  return rows.flatMap((before) => {
    const page = stored.get(before.urlHash);
    const { revision, chunks, pending, removing, unembedded, ...row } = before;
    return page ? { before, row, page } : [];
  });
}
