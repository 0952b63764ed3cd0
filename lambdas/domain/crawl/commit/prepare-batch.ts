import type { PreparedPage } from '../../pages/register-pages.ts';
import { preparePages } from '../../pages/write-pages.ts';
import { withStoredPages } from '../fetch/stored-pages.ts';
import type { Visit } from '../fetch/visit-result.ts';
import { urlFilter } from '../frontier/url-filter.ts';
import { type CrawlJob, type Moved, moved } from '../jobs/job.ts';
import { LostLease } from '../jobs/slice.ts';
import type { Crawl } from '../open-crawl.ts';
import { type ClassifiedVisit, classifyPages, textsOf } from './classify-pages.ts';
import { planPages } from './plan-pages.ts';

/** Visits whose links are enqueued. */
export type ExpandedBatch = {
  readonly visits: readonly ClassifiedVisit[];
  /** The new place of the site, if these visits found that it has moved. Deeper URLs wait until it is written. */
  readonly move: Moved | undefined;
};

/** Visits whose pages are stored and embedded. */
export type PreparedBatch = {
  readonly visits: readonly ClassifiedVisit[];
  readonly pages: readonly PreparedPage[];
  /** Hashes of the present and previous texts of its pages. */
  readonly texts: ReadonlySet<string>;
};

/** The batch that is written while the next one is prepared. */
export type BatchUnderWay = Pick<PreparedBatch, 'texts'> & {
  /** Resolves when the batch is written or has failed. */
  readonly ended: Promise<'written' | 'failed'>;
};

/**
 * Enqueues the links of at most `PAGES_PER_COMMIT` visits and classifies their pages. After a failure of this or a
 * later step, the same visits may be passed again.
 */
export async function expandBatch(
  finished: readonly Visit[],
  crawl: Crawl,
  underWay?: BatchUnderWay,
): Promise<ExpandedBatch> {
  const { frontier, rules, pageStore } = crawl;
  const { job } = crawl.slice;
  const visits = await withStoredPages(finished, job, rules, pageStore);
  const found = visits.flatMap((visit) => visit.found);
  const move = moveIn(visits, job);
  // Links are enqueued before pages are compared, because pages may name each other as canonical.
  if (!move) await frontier.add(found);
  const classified = await classifyVisits(visits, crawl, underWay);
  if (move) {
    frontier.useFilter(urlFilter({ ...job, ...move }));
    await frontier.add(found);
  } else frontier.markExpanded(classified.flatMap(({ visit, ending }) => ('outcome' in ending ? visit.queued : [])));
  return { visits: classified, move };
}

/** Returns where the site has moved to, according to these visits. */
export function moveIn(visits: readonly Visit[], job: CrawlJob): Moved | undefined {
  const to = visits.findLast(({ movedTo }) => movedTo !== undefined)?.movedTo;
  return to === undefined ? undefined : moved(job, to);
}

/**
 * Classifies visits. If the batch under way has one of their texts, it waits for that batch, whose end decides who owns
 * the text.
 */
async function classifyVisits(
  visits: readonly Visit[],
  crawl: Crawl,
  underWay: BatchUnderWay | undefined,
): Promise<readonly ClassifiedVisit[]> {
  let classified = await classifyPages(visits, crawl);
  if (underWay && textsOf(classified).some((hash) => underWay.texts.has(hash))) {
    await underWay.ended;
    classified = await classifyPages(visits, crawl);
  }
  return crawl.writer.quota.withRoom(classified, underWay?.ended);
}

/** Stores and embeds the pages of a batch that must be indexed. A dry run only plans them. */
export async function prepareBatch({ visits }: ExpandedBatch, crawl: Crawl): Promise<PreparedBatch> {
  const { pageStore, writer, slice } = crawl;
  const texts = new Set(textsOf(visits));
  if (slice.job.dryRun) return { visits: await planPages(visits, slice.job, pageStore), pages: [], texts };
  const drafts = visits.flatMap(({ draft }) => draft ?? []);
  const pages = await preparePages(drafts, writer.pages, pageStore);
  if (!pages) throw new LostLease();
  return { visits, pages, texts };
}
