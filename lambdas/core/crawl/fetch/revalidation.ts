import { EXTRACTION_VERSION } from '../../content/extraction/extraction-version.ts';
import { pageKey, type RegisteredPage } from '../../pages/page-registry.ts';
import type { PageStore } from '../../ports/page-store.ts';
import type { Table } from '../../ports/table.ts';
import type { QueuedUrl } from '../frontier/frontier-rows.ts';
import type { CrawlJob } from '../job/job.ts';
import { rereadStored } from './read-page.ts';
import type { Visit, VisitRules } from './visit-result.ts';

/** The site's pages for these URLs, by URL hash, as far as they can be revalidated. */
export async function storedPages(
  urls: readonly QueuedUrl[],
  { siteId, generation }: Pick<CrawlJob, 'siteId' | 'generation'>,
  table: Table,
): Promise<ReadonlyMap<string, RegisteredPage>> {
  const rows = await table.getMany<RegisteredPage>(urls.map((queued) => pageKey(siteId, generation, queued)));
  return new Map(rows.flatMap((row) => (row && canRevalidate(row) ? [[row.urlHash, row] as const] : [])));
}

const canRevalidate = ({ source, pending, extraction }: RegisteredPage): boolean =>
  source === 'crawl' && !pending && extraction === EXTRACTION_VERSION;

/** Turns visits of unchanged pages into visits with the stored content. Without it the URL is fetched again. */
export async function withStoredPages(
  visits: readonly Visit[],
  { siteId, generation }: Pick<CrawlJob, 'siteId' | 'generation'>,
  rules: VisitRules,
  pageStore: PageStore,
): Promise<readonly Visit[]> {
  const unchanged = visits.flatMap((visit) => ('stored' in visit ? [visit] : []));
  if (unchanged.length === 0) return visits;
  const pages = await pageStore.get(
    unchanged.map(({ stored: { urlHash, revision } }) => ({ siteId, generation, urlHash, revision })),
  );
  const reread = new Map<Visit, Visit>();
  for (const [index, visit] of unchanged.entries()) {
    const page = pages[index];
    reread.set(visit, page ? rereadStored(visit, page, rules) : withoutText(visit));
  }
  return visits.map((visit) => reread.get(visit) ?? visit);
}

function withoutText({ queued }: Visit): Visit {
  const next = { tries: queued.tries ?? 0, notBefore: 0, isUnconditional: true };
  return { queued, fetched: true, answered: false, found: [], next };
}
