import { setTimeout as delay } from 'node:timers/promises';
import { batchesBySize } from '../../lambdas/domain/batches.ts';
import { isOutage } from '../../lambdas/domain/errors.ts';
import { encodeInParts } from '../../lambdas/search-engine/segment-format.ts';
import type { SegmentRow } from '../sqlite/index/segment-rows.ts';
import { store } from './store.ts';

/** The most chunks of a merged segment. A crawl waits while one is written, and a search waits while one is read. */
const MAX_CHUNKS = 8192;
/**
 * The number of superfluous segments while pages are added. Each slows down searches, but a merge slows down the crawl.
 */
const MAX_EXTRA_SEGMENTS = 32;

const CHECK_MS = 500;
/** The interval at which all segments are checked: deleted words leave the file within half a minute. */
const TIDY_MS = 20_000;
/** The pause while the store cannot be read or written. */
const PAUSE_MS = 10_000;
/** The most bytes of a segment in one write, because other writes wait for it. */
const PART_BYTES = 1_000_000;
/** The limit of time for rewriting segments with deleted pages at the end. */
const REWRITE_MS = 3000;

/**
 * Returns the groups of a site's segments to merge. Neighbours are merged up to `MAX_CHUNKS`, as soon as this saves
 * more than 32 segments or when no pages are added (docs/decisions/022-search-engine.md).
 */
export function segmentsToMerge(rows: readonly SegmentRow[], isIdle: boolean): readonly (readonly SegmentRow[])[] {
  const groups = batchesBySize(rows, ({ chunks }) => chunks, { size: MAX_CHUNKS });
  const extra = rows.length - groups.length;
  return extra > (isIdle ? 0 : MAX_EXTRA_SEGMENTS) ? groups.filter(({ length }) => length > 1) : [];
}

/**
 * Merges the segments of each site and rewrites those with deleted pages, until `halt`. Reports an error and merges the
 * remaining segments later.
 */
export async function mergeSegmentsRepeatedly(halt: AbortSignal, report: (error: unknown) => void): Promise<void> {
  let tidiedAt = performance.now();
  /** The newest segment of each site at the latest check. */
  let newest: ReadonlySet<number> = new Set();
  const tasks = (): readonly (readonly SegmentRow[])[] => {
    const sites = store().read.segments.ofSites();
    if (performance.now() - tidiedAt < TIDY_MS) return sites.flatMap((rows) => segmentsToMerge(rows, false));
    const isIdle = (rows: readonly SegmentRow[]): boolean => newest.has(rows.at(-1)?.id ?? 0);
    const toMerge = sites.flatMap((rows) => segmentsToMerge(rows, isIdle(rows)));
    tidiedAt = performance.now();
    newest = new Set(sites.map((rows) => rows.at(-1)?.id ?? 0));
    return [
      ...store()
        .read.segments.withDeletions()
        .map((row) => [row]),
      ...toMerge,
    ];
  };
  while (!halt.aborted) {
    let pauseMs = CHECK_MS;
    try {
      for (const rows of tasks()) if (!halt.aborted) await merge(rows);
    } catch (error) {
      if (!isOutage(error)) report(error);
      pauseMs = PAUSE_MS;
    }
    await delay(pauseMs, undefined, { signal: halt }).catch(() => undefined);
  }
}

/** Rewrites segments with deleted pages at the end, so that no deleted word stays in the file of a stopped service. */
export async function rewriteSegments(): Promise<void> {
  const end = performance.now() + REWRITE_MS;
  for (const row of store().read.segments.withDeletions()) if (performance.now() < end) await merge([row]);
}

/** Merges segments. Replaces nothing if one of them has been removed. */
async function merge(rows: readonly SegmentRow[]): Promise<void> {
  const merged = store().read.segments.merged(rows);
  if (!merged) return;
  const { made, sections, dropped } = merged;
  let part = 0;
  for (const bytes of made ? encodeInParts(sections, PART_BYTES) : [])
    await store().write.pageIndex.storePart(made?.id ?? 0, part++, bytes);
  await store().write.pageIndex.replace(rows, { made, dropped });
}
