import type { Clock } from '../clock.ts';
import type { SiteScope } from '../ports/page-index.ts';
import type { PageStore } from '../ports/page-store.ts';
import type { Key, Table } from '../ports/table.ts';
import { type SiteState, stateKey } from '../sites/site.ts';
import { everyPage, generationPrefix } from './page-registry.ts';

/*
 * A text that no row names is only unused if no row will name it: its writer may be alive and about to register the
 * page. So a collection first raises the site's `sweptTo` to the last revision that any writer has reserved. A writer
 * that then registers a page with this revision or an earlier one is refused, and writes the page under a new one
 * (register-pages.ts). Texts up to that revision are then unused if no row names them now
 * (docs/decisions/008-page-writes.md).
 */

const PER_READ = 500;

/** A collection that has begun. It removes texts up to this revision; `after` is the position where it stopped. */
type Collection = { readonly revision: number; readonly after?: string };

type CollectDeps = { readonly table: Table; readonly pageStore: PageStore; readonly clock: Clock };

const collectionKey = ({ siteId, generation }: SiteScope): Key => ({
  pk: `SITE#${siteId}`,
  sk: `${generationPrefix(generation)}SWEEP`,
});

/**
 * Removes texts that no row names. Such a text remains if a writer died after storing it, or if the page store did not
 * answer when the text was replaced. Returns false if texts are left when the deadline (epoch milliseconds) has passed;
 * the next call continues.
 */
export async function collectTexts(siteId: string, deadline: number, deps: CollectDeps): Promise<boolean> {
  const { table } = deps;
  const state = await table.get<SiteState>(stateKey(siteId));
  if (!state) return true;
  const site = { siteId, generation: state.generation };
  const unfinished = await table.get<Collection>(collectionKey(site));
  if (unfinished && !(await goOn(site, unfinished, deadline, deps))) return false;
  if (unfinished?.after !== undefined) return true; // the next collection begins after the next job
  const collection = await beginCollection(site, state, table);
  return !collection || goOn(site, collection, deadline, deps);
}

/** Continues a collection. Returns false if time ran out. */
async function goOn(site: SiteScope, collection: Collection, deadline: number, deps: CollectDeps): Promise<boolean> {
  const stoppedAt = await removeUnused(site, collection, deadline, deps);
  const when = { equals: { revision: collection.revision } };
  await deps.table.write([
    stoppedAt === undefined
      ? { remove: collectionKey(site), when }
      : { update: collectionKey(site), set: { after: stoppedAt }, when },
  ]);
  return stoppedAt === undefined;
}

/** Returns whether pages were written since the last collection, or that collection has not ended. */
export async function hasUncollectedTexts(siteId: string, table: Table): Promise<boolean> {
  const state = await table.get<SiteState>(stateKey(siteId));
  if (!state) return false;
  if (state.revision > (state.sweptTo ?? 0)) return true;
  return (await table.get(collectionKey({ siteId, generation: state.generation }))) !== undefined;
}

/** Begins a collection. Returns undefined if another collection has begun. */
async function beginCollection(
  site: SiteScope,
  { revision }: Pick<SiteState, 'revision'>,
  table: Table,
): Promise<Collection | undefined> {
  const refused = await table.write([
    {
      update: stateKey(site.siteId),
      set: { sweptTo: revision },
      when: { exists: true, equals: { generation: site.generation }, below: { sweptTo: revision + 1 } },
    },
    { put: { ...collectionKey(site), revision }, when: { exists: false } },
  ]);
  return refused.length === 0 ? { revision } : undefined;
}

/** Removes unused texts. Returns the position where it stopped if time ran out. */
async function removeUnused(
  site: SiteScope,
  { revision: last, after: start }: Collection,
  deadline: number,
  { table, pageStore, clock }: CollectDeps,
): Promise<string | undefined> {
  const named = new Map<string, number>();
  for await (const { urlHash, revision } of everyPage(site, table)) named.set(urlHash, revision);
  let after = start;
  do {
    const { items, next } = await pageStore.list(site, { limit: PER_READ, after });
    const unused = items.filter(({ urlHash, revision }) => revision <= last && named.get(urlHash) !== revision);
    if (unused.length > 0) await pageStore.remove(unused);
    after = next;
  } while (after !== undefined && clock() < deadline);
  return after;
}
