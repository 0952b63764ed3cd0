import { EXTRACTION_VERSION } from '../../content/extraction/extraction-version.ts';
import { pageKey, type RegisteredPage } from '../../pages/page-registry.ts';
import type { PageStore } from '../../ports/page-store.ts';
import type { Table } from '../../ports/table.ts';
import type { QueuedUrl } from '../frontier/frontier-rows.ts';
import type { CrawlJob } from '../job/job.ts';
import { rereadStored } from './read-page.ts';
import type { Visit, VisitRules } from './visit-result.ts';

/** Of these URLs the pages that the site holds as they were last answered, by hash: they count unless they have changed. */
export async function storedPages(
  urls: readonly QueuedUrl[],
  { siteId, generation }: Pick<CrawlJob, 'siteId' | 'generation'>,
  table: Table,
): Promise<ReadonlyMap<string, RegisteredPage>> {
  const rows = await table.getMany<RegisteredPage>(urls.map((queued) => pageKey(siteId, generation, queued)));
  return new Map(rows.flatMap((row) => (row && isAsAnswered(row) ? [[row.urlHash, row] as const] : [])));
}

const isAsAnswered = ({ source, pending, extraction }: RegisteredPage): boolean =>
  source === 'crawl' && !pending && extraction === EXTRACTION_VERSION;

/**
 * The visits of pages that have not changed, as if the pages had been sent again. One whose text is lost is put off, to be asked for
 * without condition.
 */
export async function withStoredPages(
  visits: readonly Visit[],
  { siteId, generation }: Pick<CrawlJob, 'siteId' | 'generation'>,
  rules: VisitRules,
  pageStore: PageStore,
): Promise<readonly Visit[]> {
  const unchanged = visits.flatMap((visit) => ('held' in visit ? [visit] : []));
  if (unchanged.length === 0) return visits;
  const pages = await pageStore.get(
    unchanged.map(({ held: { urlHash, revision } }) => ({ siteId, generation, urlHash, revision })),
  );
  const read = new Map<Visit, Visit>();
  for (const [place, visit] of unchanged.entries()) {
    const page = pages[place];
    const { queued } = visit;
    const again = { tries: queued.tries ?? 0, notBefore: 0, isUnconditional: true };
    const lost = { queued, fetched: true, answered: false, found: [], next: again };
    if (!page) read.set(visit, lost);
    else {
      const { url, ...content } = page;
      read.set(visit, rereadStored(visit, content, rules));
    }
  }
  return visits.map((visit) => read.get(visit) ?? visit);
}
