import { type Clock, epochSeconds } from '../clock.ts';
import type { SiteScope } from '../ports/page-index.ts';
import type { PageStore } from '../ports/page-store.ts';
import type { Key, Table } from '../ports/table.ts';
import { type SiteState, stateKey } from '../sites/site.ts';
import { everyPage, generationPrefix } from './page-registry.ts';

const PER_READ = 500;
/** A writer that has reserved a revision registers it sooner, or has died. */
const QUIET_SECONDS = 150;

/** Texts up to this revision are named by a row, or nobody will name them. `after` is where a sweep has stopped. */
type Mark = { readonly revision: number; readonly markedAt: number; readonly after?: string };

type SweepDeps = { readonly table: Table; readonly pageStore: PageStore; readonly clock: Clock };

const markKey = ({ siteId, generation }: SiteScope): Key => ({
  pk: `SITE#${siteId}`,
  sk: `${generationPrefix(generation)}SWEEP`,
});

/**
 * Removes texts that no row names: a writer died after it had stored them, or the page store did not answer when they
 * were replaced. Sweeps up to the revision that was marked by an earlier call, and marks the present one for the next.
 */
export async function sweepTexts(
  siteId: string,
  { deadline }: { readonly deadline: number },
  { table, pageStore, clock }: SweepDeps,
): Promise<void> {
  const state = await table.get<SiteState>(stateKey(siteId));
  if (!state) return;
  const site = { siteId, generation: state.generation };
  const now = epochSeconds(clock);
  const present: Mark = { revision: state.revision, markedAt: now };
  const mark = await table.get<Mark>(markKey(site));
  if (mark && Math.abs(now - mark.markedAt) < QUIET_SECONDS) return;
  const stoppedAt = mark && (await sweep(site, mark, deadline, { table, pageStore, clock }));
  const next = mark && stoppedAt !== undefined ? { ...mark, after: stoppedAt } : present;
  await table.putMany([{ ...next, ...markKey(site) }]);
}

/** Answers where it has stopped, if time ran out. */
async function sweep(
  site: SiteScope,
  mark: Mark,
  deadline: number,
  { table, pageStore, clock }: SweepDeps,
): Promise<string | undefined> {
  const named = new Map<string, number>();
  for await (const { urlHash, revision } of everyPage(site, table)) named.set(urlHash, revision);
  let { after } = mark;
  do {
    const { items, next } = await pageStore.list(site, { limit: PER_READ, after });
    const unnamed = items.filter(
      ({ urlHash, revision }) => revision <= mark.revision && named.get(urlHash) !== revision,
    );
    if (unnamed.length > 0) await pageStore.remove(unnamed);
    after = next;
  } while (after !== undefined && clock() < deadline);
  return after;
}
