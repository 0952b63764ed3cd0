import { urlHash } from '../../../text/web/url.ts';
import { everyPage, type RegisteredPage } from '../../pages/page-registry.ts';
import type { Item } from '../../ports/table.ts';
import type { CrawlJob } from '../jobs/job.ts';
import type { Outcome } from '../jobs/outcomes.ts';
import type { Slice } from '../jobs/slice.ts';
import { type JobUrl, jobUrlKey } from '../jobs/url-rows.ts';
import { everyPart, PARTS, partKey, type Review } from '../reviews/review.ts';
import { addProbe, type Probe } from './probe-rows.ts';
import type { ProbeRules } from './probe-rules.ts';

/** With the job's item, within the 100 items of a write. */
const ROWS_PER_PART = 90;
/** Sorts before the keys of all items. */
const BEGIN = '#';
const IN_PLACE: ReadonlySet<Outcome> = new Set<Outcome>(['indexed', 'unchanged', 'failed']);

/**
 * Lists the crawled pages in the scope of a complete crawl that it did not find in place. Continues where an earlier
 * slice stopped. Returns the number of crawled pages of the site; undefined if time ran out.
 */
export async function collectUnseen(slice: Slice, rules: ProbeRules): Promise<number | undefined> {
  const { job, table, clock, deadline } = slice;
  let { collectedTo = BEGIN, crawledPages = 0 } = job;
  if (job.isCollected) return crawledPages;
  const write = async (rows: readonly (RegisteredPage & Item)[], isCollected: boolean) => {
    const crawled = rows.filter(({ source, removing }) => source === 'crawl' && !removing);
    const probes = await unseen(crawled, slice, rules);
    const progress = { collectedTo: rows.at(-1)?.sk ?? collectedTo, crawledPages: crawledPages + crawled.length };
    await collect(slice, probes, { ...progress, isCollected });
    ({ collectedTo, crawledPages } = progress);
  };
  const isDone = await slice.attempt(async () => {
    let rows: (RegisteredPage & Item)[] = [];
    for await (const row of everyPage(job, table, collectedTo)) {
      rows.push(row);
      if (rows.length < ROWS_PER_PART) continue;
      await write(rows, false);
      rows = [];
      if (clock() >= deadline) return false;
    }
    await write(rows, true);
    return true;
  });
  return isDone ? crawledPages : undefined;
}

async function unseen(
  rows: readonly RegisteredPage[],
  { job, table }: Slice,
  rules: ProbeRules,
): Promise<readonly Probe[]> {
  const others = rows.filter(({ lastJobId, url }) => lastJobId !== job.jobId && rules.isInScope(url));
  const rowsAt = (urls: readonly string[]) =>
    table.getMany<JobUrl>(urls.map((url) => jobUrlKey(job.jobId, urlHash(url))));
  const [met, present] = await Promise.all([
    rowsAt(others.map(({ url }) => url)),
    rowsAt(others.map(({ url }) => rules.visit.filter.onSite(url) ?? url)),
  ]);
  return others.flatMap(({ url, urlHash: hash }, index) => {
    const row = met[index];
    const isInPlace = row?.outcome !== undefined && IN_PLACE.has(row.outcome);
    const isOutsideList = job.listedBy !== undefined && !row;
    if (isInPlace || isOutsideList) return [];
    const outcome = present[index]?.outcome;
    const isMoved = outcome === 'indexed' || outcome === 'unchanged';
    return { url, urlHash: hash, ...(row && { isMet: true }), ...(isMoved && { isMoved }) };
  });
}

/** Lists the pages of an approved review. Returns `lost` if they cannot be read, `time` if time ran out. */
export async function collectReviewed(slice: Slice, { reviewId, parts }: Review): Promise<'done' | 'lost' | 'time'> {
  const { job, table, clock, deadline } = slice;
  if (job.isCollected) return 'done';
  let { collectedTo = BEGIN } = job;
  return slice.attempt(async () => {
    let part = collectedTo === BEGIN ? 0 : Number(collectedTo.slice(PARTS.length)) + 1;
    for await (const { sk, pages } of everyPart(reviewId, table, collectedTo)) {
      if (sk !== partKey(reviewId, part++).sk) return 'lost';
      const probes = pages.map(({ url, reason }) => ({ url, urlHash: urlHash(url), listedFor: reason }));
      await collect(slice, probes, { collectedTo: sk });
      collectedTo = sk;
      if (clock() >= deadline) return 'time';
    }
    if (part !== parts) return 'lost';
    await collect(slice, [], { isCollected: true });
    return 'done';
  });
}

type Progress = Pick<Partial<CrawlJob>, 'collectedTo' | 'crawledPages' | 'isCollected'>;

const collect = (slice: Slice, probes: readonly Probe[], set: Progress): Promise<unknown> =>
  slice.write(
    probes.map((probe) => addProbe(probe, slice)),
    { set },
  );
