import { EXTRACTION_VERSION } from '../../../text/extraction/extraction-version.ts';
import { pageKey, type RegisteredPage } from '../../pages/page-registry.ts';
import type { PageStore, StoredPage } from '../../ports/page-store.ts';
import type { Table } from '../../ports/table.ts';
import type { CrawlJob } from '../jobs/job.ts';
import type { QueuedUrl } from '../jobs/url-rows.ts';
import { readContent, withHeader } from './read-page.ts';
import type { NotModified, Visit, VisitRules } from './visit-result.ts';

/* Revalidation: a server need not send a page again that the site has and that has not changed. */

/** Returns the site's pages for these URLs that can be revalidated, by URL hash. */
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

/** Turns visits of unchanged pages into visits with the stored content. If that is lost, the URL is fetched again. */
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

/** Reads the stored content of an unchanged page as if the server had sent it. */
function rereadStored(
  { queued, validators, status, robotsTag }: Visit & NotModified,
  { url, metadata, filled, ...content }: StoredPage,
  rules: VisitRules,
): Visit {
  return readContent(queued, withHeader(content, robotsTag), { validators, status }, rules);
}

function withoutText({ queued }: Visit): Visit {
  const next = { tries: queued.tries ?? 0, notBefore: 0, isUnconditional: true };
  return { queued, fetched: true, answered: false, found: [], next };
}
