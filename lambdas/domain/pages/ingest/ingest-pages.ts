import { sourcedFields } from '../../../text/fields/field-source.ts';
import { MAX_URL_LENGTH } from '../../../text/web/url.ts';
import { steadyClock } from '../../clock.ts';
import { AppError, UnavailableError } from '../../errors.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { Queue } from '../../ports/queue.ts';
import { type Plan, QUOTAS } from '../../sites/access/plan.ts';
import { shownWarnings } from '../../sites/settings-warnings.ts';
import type { SiteRecord } from '../../sites/site.ts';
import { meteredEmbedder } from '../../sites/usage/metered-embedder.ts';
import { entriesWithDeadline } from '../embed-later.ts';
import { enrichedLater } from '../enrichment/enrich-later.ts';
import { type EnrichmentDeps, IngestEnrichment } from '../enrichment/ingest-enrichment.ts';
import { siteWriter } from '../page-writer.ts';
import { ingestItem } from './ingest-item.ts';
import { IngestRun, type PageEnd, type RunDeps } from './ingest-run.ts';
import { tooManyIngests } from './too-many-ingests.ts';

export type IngestDeps = RunDeps & EnrichmentDeps & { readonly embedder: Embedder; readonly queue: Queue };

export type PageResult = Omit<PageEnd, 'because'> & {
  readonly url: string;
  readonly warnings?: readonly string[];
};

export type IngestAnswer = {
  readonly success: boolean;
  readonly processed: number;
  readonly skipped: number;
  readonly failed: number;
  readonly results: readonly PageResult[];
};

/**
 * Time limit of a request, counted from when it was read. Clients may rely on an answer within 24 s: on a busy machine
 * this thread answers some seconds late.
 */
const TIME_MS = 20_000;
/** No batch starts in this last part of the time, so that the answer tells the result of most pages. */
const LAST_MS = 4_000;
/** A request with less time is refused before it begins. */
const MIN_MS = LAST_MS + 2_000;

/**
 * Adds or replaces pages of a site. Returns a result for each page; a page with `success` is searchable. Throws only if
 * every page failed for the same reason (`plan_limit` if the site is full, the `UnavailableError` of a service or a
 * `DamagedStoreError`), or if the request has waited too long since `receivedAt` (epoch milliseconds) to begin.
 */
export async function ingestPages(
  site: SiteRecord,
  pages: readonly unknown[],
  { plan, receivedAt }: { readonly plan: Plan; readonly receivedAt: number },
  given: IngestDeps,
): Promise<IngestAnswer> {
  const deps = { ...given, clock: steadyClock(given.clock) };
  const now = deps.clock();
  const timeLeft = Math.min(TIME_MS, TIME_MS - (now - receivedAt));
  if (timeLeft < MIN_MS) throw tooManyIngests();
  const { siteId, metadataSchema } = site.settings;
  const { generation, pageCount } = site.state;
  const maxPages = QUOTAS[plan].pagesPerSite;
  const embedder = meteredEmbedder(deps.embedder, site.settings.orgId, deps);
  const enrichment = new IngestEnrichment(site.settings.orgId, deps);
  const makeEntries = enrichedLater(entriesWithDeadline({ ...deps, embedder }), enrichment.missing, deps.queue);
  const run = new IngestRun({
    writer: siteWriter({ siteId, generation }, { makeEntries, maxPages }, deps.table),
    enrichment,
    fields: sourcedFields(metadataSchema),
    maxPages,
    pageCount,
    deadline: now + timeLeft - LAST_MS,
    deps,
  });
  const named = pages.map((page) => ({ page, item: ingestItem(page, site.settings) }));
  const items = named.flatMap(({ item }) => ('fault' in item ? [] : item));
  await Promise.race([run.work(items), deps.sleep(now + timeLeft - deps.clock())]);
  const ended = named.map(({ page, item }) => ({ url: urlOf(page), end: endOf(item, run), item }));
  refuseIfAll(
    ended.map(({ end }) => end),
    run.outage,
  );
  const count = (status: PageEnd['status']): number => ended.filter(({ end }) => end.status === status).length;
  return {
    success: count('error') === 0,
    processed: count('success'),
    skipped: count('skipped'),
    failed: count('error'),
    results: ended.map(({ url, end: { because, ...end }, item }) => ({
      url,
      ...end,
      ...('fault' in item ? {} : shownWarnings(item.warnings)),
    })),
  };
}

function endOf(item: ReturnType<typeof ingestItem>, run: IngestRun): PageEnd {
  if ('fault' in item) return { status: 'error', error: item.fault };
  return run.ends.get(item) ?? { status: 'error', error: 'Not finished in time: send it again, in a smaller batch' };
}

/**
 * Throws if all pages failed for the same reason. A client that only reads the status would take a list of errors for a
 * success.
 */
function refuseIfAll(ends: readonly PageEnd[], outage: Error = new UnavailableError('no page could be written')): void {
  const { because, error = '' } = ends[0] ?? {};
  if (because === undefined || ends.some((end) => end.because !== because)) return;
  throw because === 'unavailable' ? outage : new AppError('plan_limit', error);
}

/** Returns the URL as the request names it, even if it is invalid. */
function urlOf(page: unknown): string {
  const url = typeof page === 'object' && page !== null && 'url' in page ? page.url : undefined;
  return typeof url === 'string' ? url.slice(0, MAX_URL_LENGTH) : '';
}
