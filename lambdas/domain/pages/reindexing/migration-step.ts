import { type Clock, epochSeconds, isDue, steadyClock } from '../../clock.ts';
import { type Report, UnavailableError } from '../../errors.ts';
import type { PageStore } from '../../ports/page-store.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Table } from '../../ports/table.ts';
import { nextSite } from '../../sites/site-directory.ts';
import { backfillPages } from './backfill.ts';
import {
  afterPause,
  changeIndexRegistry,
  type IndexRegistry,
  type OpenIndex,
  readIndexRegistry,
  sendNextStep,
  stopDualWrite,
} from './index-registry.ts';

type MigrationDeps = {
  readonly table: Table;
  readonly queue: Queue;
  readonly pageStore: PageStore;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  readonly halt: AbortSignal;
  readonly open: OpenIndex;
  /** Deletes an index. An index that does not exist is ignored. */
  readonly drop: (index: string) => Promise<void>;
  readonly report: Report;
};

/** Shorter than the function's timeout and the message's visibility timeout. */
const SLICE_MS = 60_000;
/** Pause while a service is unavailable. */
const BACK_OFF_SECONDS = 15;

type Changes = Partial<IndexRegistry>;

/** Takes the next step of a migration, or works on it for one slice, and sends the message for the next. */
export async function runMigrationStep({ version }: { readonly version: number }, deps: MigrationDeps): Promise<void> {
  const registry = await readIndexRegistry(deps.table);
  if (!registry?.step || registry.version < version) return;
  // A worker may have died between its last write and its message. The deduplication id prevents a second delivery.
  if (registry.version > version) return sendNextStep(registry, deps.queue);
  const changes = await takeStep(registry, deps);
  const changed = await changeIndexRegistry(registry, { ...registry, ...changes }, deps);
  if (changed) await sendNextStep(changed, deps.queue);
}

async function takeStep(registry: IndexRegistry, deps: MigrationDeps): Promise<Changes> {
  const { notBefore, changedAt } = registry;
  if (!isDue(notBefore, epochSeconds(deps.clock), notBefore - changedAt)) {
    await deps.sleep(Math.min(notBefore * 1000 - deps.clock(), SLICE_MS));
    return {}; // leaves the next message all the time of a slice
  }
  switch (registry.step) {
    case 'backfill':
      return backfill(registry, deps);
    case 'drain':
      return stopDualWrite(registry, deps);
    default:
      for (const index of registry.retired) await deps.drop(index);
      return { step: undefined, retired: [] };
  }
}

/** Puts the pages of one site after another into the index. */
async function backfill(registry: IndexRegistry, given: MigrationDeps): Promise<Changes> {
  const deps = { ...given, clock: steadyClock(given.clock) };
  const { table, clock, halt } = deps;
  const target = await deps.open(registry.secondary ?? registry.searched);
  const deadline = clock() + SLICE_MS;
  let { after } = registry;
  try {
    while (clock() < deadline && !halt.aborted) {
      const siteId = after?.page ? after.siteId : await nextSite(after?.siteId, table);
      if (siteId === undefined) {
        await target.index.refresh();
        return switchOver(registry, deps);
      }
      const page = await backfillPages(siteId, after?.page, target, deps);
      after = { siteId, ...(page && { page }) };
    }
    return { after };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    deps.report('filling the new index has to wait', error);
    return { after, notBefore: epochSeconds(clock) + BACK_OFF_SECONDS };
  }
}

/** Switches searches to the filled index. The old index is still written while processes may search it. */
function switchOver(registry: IndexRegistry, deps: MigrationDeps): Changes {
  const { searched, secondary, retired } = registry;
  if (!secondary) return retired.length > 0 ? stopDualWrite(registry, deps) : { step: undefined, after: undefined };
  const notBefore = afterPause(registry, deps);
  return { searched: secondary, secondary: searched, step: 'drain', after: undefined, notBefore };
}
