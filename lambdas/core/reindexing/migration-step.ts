import { type Clock, epochSeconds } from '../clock.ts';
import { type Report, UnavailableError } from '../errors.ts';
import type { PageStore } from '../ports/page-store.ts';
import type { Queue } from '../ports/queue.ts';
import type { Table } from '../ports/table.ts';
import { nextSite } from '../sites/site-directory.ts';
import { rebuildPages } from './backfill.ts';
import type { OpenSpace } from './dual-write-index.ts';
import { afterPause, changeSpaces, dropping, readSpaces, type SpaceRecord, sendMove } from './index-registry.ts';

type MoveDeps = {
  readonly table: Table;
  readonly queue: Queue;
  readonly pageStore: PageStore;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  readonly halt: AbortSignal;
  readonly open: OpenSpace;
  /** Removes an index; one that is not there is fine. */
  readonly drop: (index: string) => Promise<void>;
  readonly report: Report;
};

/** So long a slice works or waits before it hands over; below the time-out of its function and the visibility of its message. */
const SLICE_MS = 60_000;
/** While a service is away. */
const BACK_OFF_SECONDS = 15;

type Changes = Partial<SpaceRecord>;

/** Takes the next step of a move to another index, or goes on with it for a while, and sends word of what is next. */
export async function moveIndex({ slice }: { readonly slice: number }, deps: MoveDeps): Promise<void> {
  const record = await readSpaces(deps.table);
  if (!record?.step || record.slice < slice) return;
  // A worker may have died between its last write and its message: that is sent again, once at most by its deduplication id.
  if (record.slice > slice) return sendMove(record, deps.queue);
  const changes = await changesOf(record, deps);
  const changed = await changeSpaces(record, { ...record, ...changes }, deps);
  if (changed) await sendMove(changed, deps.queue);
}

async function changesOf(record: SpaceRecord, deps: MoveDeps): Promise<Changes> {
  const waitMs = record.notBefore * 1000 - deps.clock();
  if (waitMs > 0) {
    await deps.sleep(Math.min(waitMs, SLICE_MS));
    return {}; // the next slice has its whole time
  }
  switch (record.step) {
    case 'fill':
      return fill(record, deps);
    case 'leave':
      return dropping(record, deps);
    default:
      for (const index of record.left) await deps.drop(index);
      return { step: undefined, left: [] };
  }
}

/** Puts pages of one site after the other into the index. */
async function fill(record: SpaceRecord, deps: MoveDeps): Promise<Changes> {
  const { table, clock, halt } = deps;
  const side = await deps.open(record.also ?? record.searched);
  const deadline = clock() + SLICE_MS;
  let { after } = record;
  try {
    while (clock() < deadline && !halt.aborted) {
      const siteId = after?.page ? after.siteId : await nextSite(after?.siteId, table);
      if (siteId === undefined) {
        await side.index.refresh();
        return filled(record, deps);
      }
      const page = await rebuildPages(siteId, after?.page, side, deps);
      after = { siteId, ...(page && { page }) };
    }
    return { after };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    deps.report('the index that is being filled has to wait', error);
    return { after, notBefore: epochSeconds(clock) + BACK_OFF_SECONDS };
  }
}

/** From now on the other index is searched. What was searched is written for as long as somebody may search it still. */
function filled(record: SpaceRecord, deps: MoveDeps): Changes {
  const { searched, also } = record;
  if (!also) return record.left.length > 0 ? dropping(record, deps) : { step: undefined, after: undefined };
  return { searched: also, also: searched, step: 'leave', after: undefined, notBefore: afterPause(record, deps) };
}
