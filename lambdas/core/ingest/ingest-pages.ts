import { type Plan, QUOTAS } from '../access/plan.ts';
import { AppError, UnavailableError } from '../errors.ts';
import { patientEntries } from '../pages/embed-later.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Queue } from '../ports/queue.ts';
import type { SiteRecord } from '../sites/site.ts';
import { MAX_URL_LENGTH } from '../web/url.ts';
import { ingestItem } from './ingest-item.ts';
import { IngestRun, type PageEnd, type RunDeps } from './ingest-run.ts';

export type IngestDeps = RunDeps & { readonly embedder: Embedder; readonly queue: Queue };

export type PageResult = Omit<PageEnd, 'because'> & { readonly url: string };

export type IngestAnswer = {
  readonly success: boolean;
  readonly processed: number;
  readonly skipped: number;
  readonly failed: number;
  readonly results: readonly PageResult[];
};

/** The edge waits 29 s for an answer. */
const TIME_MS = 24_000;

/**
 * Adds or replaces pages of a site; each is searchable when its row says so, and has a row of its own whatever becomes of it. Throws only
 * when nothing at all could be done for one reason: `plan_limit` when the site is full, `UnavailableError` when a service is away.
 */
export async function ingestPages(
  site: SiteRecord,
  pages: readonly unknown[],
  plan: Plan,
  deps: IngestDeps,
): Promise<IngestAnswer> {
  const { siteId, baseUrl } = site.settings;
  const { generation, pageCount, languages = [] } = site.state;
  const mostPages = QUOTAS[plan].pagesPerSite;
  const run = new IngestRun({
    target: { siteId, generation, languages, mostPages },
    room: mostPages - pageCount,
    deadline: deps.clock() + TIME_MS,
    makeEntries: patientEntries(deps),
    deps,
  });
  const items = pages.map((page, place) => ingestItem(page, place, baseUrl));
  await Promise.race([run.work(items.flatMap((item) => ('fault' in item ? [] : item))), deps.sleep(TIME_MS)]);
  const ends = items.map((item, place): PageEnd => {
    if ('fault' in item) return { status: 'error', error: item.fault };
    return run.ends.get(place) ?? { status: 'error', error: 'Not finished in time: send it again, in a smaller batch' };
  });
  refuseIfAll(ends);
  const count = (status: PageEnd['status']): number => ends.filter((end) => end.status === status).length;
  return {
    success: count('error') === 0,
    processed: count('success'),
    skipped: count('skipped'),
    failed: count('error'),
    results: ends.map(({ because, ...end }, place) => ({ url: urlOf(pages[place]), ...end })),
  };
}

/** A client that only looks at the status would take an answer of nothing but errors for a success. */
function refuseIfAll(ends: readonly PageEnd[]): void {
  const { because, error = '' } = ends[0] ?? {};
  if (because === undefined || ends.some((end) => end.because !== because)) return;
  throw because === 'away' ? new UnavailableError('no page could be written') : new AppError('plan_limit', error);
}

/** As the request names it, whatever it names. */
function urlOf(page: unknown): string {
  const url = typeof page === 'object' && page !== null && 'url' in page ? page.url : undefined;
  return typeof url === 'string' ? url.slice(0, MAX_URL_LENGTH) : '';
}
