import { setTimeout as delay } from 'node:timers/promises';
import { batchesBySize } from '../../lambdas/domain/batches.ts';
import { isOutage } from '../../lambdas/domain/errors.ts';
import { encodeInParts } from '../../lambdas/search-engine/segment-format.ts';
import type { SegmentRow } from '../sqlite/index/segment-rows.ts';
import { store } from './store.ts';

/** Chunks of a merged segment. A crawl waits while one is made, and a search while it is read. */
const MAX_CHUNKS = 8192;
/** A search looks at each segment. While pages are added, a merge takes time from the crawl. */
const MAX_EXTRA_SEGMENTS = 32;

const CHECK_MS = 500;
/** How often all segments are looked at: deleted words leave the file within half a minute. */
const TIDY_MS = 20_000;
/** Pause while the store cannot be read or written. */
const PAUSE_MS = 10_000;
/** Bytes of a segment in one write. Other writes wait for one. */
const PART_BYTES = 1_000_000;
/** Longest time for the segments with deleted pages at the end. */
const REWRITE_MS = 3000;

/**
 * Which segments of a site become one: neighbours that together are not too large, as soon as this saves more than 32
 * segments, or when no pages are added (docs/decisions/022-search-engine.md).
 */
export function segmentsToMerge(rows: readonly SegmentRow[], isIdle: boolean): readonly (readonly SegmentRow[])[] {
  const groups = batchesBySize(rows, ({ chunks }) => chunks, { size: MAX_CHUNKS });
  const extra = rows.length - groups.length;
  return extra > (isIdle ? 0 : MAX_EXTRA_SEGMENTS) ? groups.filter(({ length }) => length > 1) : [];
}

/**
 * Keeps the segments of each site few, and rewrites those with deleted pages, until `halt`. An error is reported, and
 * the rest is merged later.
 */
export async function mergeSegments(halt: AbortSignal, report: (error: unknown) => void): Promise<void> {
  let tidiedAt = performance.now();
  /** The newest segments of all sites, when they were tidied. */
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

/** Called at the end, so that no deleted word stays in the file of a service that does not run. */
export async function rewriteSegments(): Promise<void> {
  const end = performance.now() + REWRITE_MS;
  for (const row of store().read.segments.withDeletions()) if (performance.now() < end) await merge([row]);
}

/** Nothing is replaced if one of the segments is gone meanwhile. */
async function merge(rows: readonly SegmentRow[]): Promise<void> {
  const merged = store().read.segments.merged(rows);
  if (!merged) return;
  const { made, sections, dropped } = merged;
  let part = 0;
  for (const bytes of made ? encodeInParts(sections, PART_BYTES) : [])
    await store().write.pageIndex.storePart(made?.id ?? 0, part++, bytes);
  await store().write.pageIndex.replace(rows, { made, dropped });
}
