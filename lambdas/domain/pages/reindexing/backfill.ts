import type { PageStore } from '../../ports/page-store.ts';
import type { Table } from '../../ports/table.ts';
import { type SiteState, stateKey } from '../../sites/site.ts';
import { nextPages } from '../page-batch.ts';
import { rebuildEntries } from '../rebuild-entries.ts';
import type { OpenedIndex, PagePosition } from './index-registry.ts';

/** Puts the next pages of a site into an index. Returns the last of them, or undefined if there are no more. */
export async function backfillPages(
  siteId: string,
  after: PagePosition | undefined,
  target: OpenedIndex,
  deps: { readonly table: Table; readonly pageStore: PageStore },
): Promise<PagePosition | undefined> {
  const generation = (await deps.table.get<SiteState>(stateKey(siteId)))?.generation;
  if (generation === undefined) return undefined;
  const { rows, next } = await nextPages({ siteId, generation }, after, deps.table);
  await rebuildEntries({ siteId, generation }, rows, target, deps);
  return next;
}
