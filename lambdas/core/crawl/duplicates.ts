import type { Change, PageIndex, PageStore, Table } from '../../adapters/ports.ts';
import { pageKey, type RegisteredPage, textKey } from '../sites/page-registry.ts';
import { stateKey } from '../sites/site.ts';
import { type CrawlJob, jobKey } from './job.ts';
import { holding, writeHolding } from './lease.ts';
import { type Ending, type MetUrl, metUrlKey, type QueuedUrl, supplanting } from './url-rows.ts';

/** Says which page of the site has a text, and where the job named here has met it. */
type TextClaim = Pick<RegisteredPage, 'url' | 'urlHash'> & { readonly jobId?: string; readonly depth?: number };

/** The page that has a text; `held` is there if it has come to its end in this job. */
export type TextOwner = TextClaim & {
  readonly held?: { readonly row: RegisteredPage; readonly was: Ending };
  /** The job has not met it, so it may not be there any more. */
  readonly isUnmet?: boolean;
};

type Site = Pick<CrawlJob, 'siteId' | 'generation' | 'jobId'>;

/** The change by which a page claims its text, so that another page with the same one is told to be its duplicate. */
export const claimText = (
  { siteId, generation, jobId }: Site,
  { textHash, url, urlHash }: RegisteredPage,
  { depth }: Pick<QueuedUrl, 'depth'>,
): Change => ({ put: { ...textKey(siteId, generation, textHash), url, urlHash, jobId, depth } });

/** Which pages of the site have these texts, as far as they still have them. */
export async function textOwners(
  textHashes: readonly string[],
  { siteId, generation, jobId }: Site,
  table: Table,
): Promise<Map<string, TextOwner>> {
  const hashes = [...new Set(textHashes)];
  const claims = await table.getMany<TextClaim>(hashes.map((hash) => textKey(siteId, generation, hash)));
  const claimed = hashes.flatMap((textHash, place) => {
    const claim = claims[place];
    return claim ? [{ textHash, claim }] : [];
  });
  const rows = await table.getMany<RegisteredPage>(claimed.map(({ claim }) => pageKey(siteId, generation, claim)));
  const met = await table.getMany<MetUrl>(claimed.map(({ claim }) => metUrlKey(jobId, claim.urlHash)));
  return new Map(
    claimed.flatMap(({ textHash, claim }, place) => {
      const row = rows[place];
      const end = met[place];
      if (!row || !hasText(textHash, row, end)) return [];
      const isHeld = row.source === 'crawl' && (end?.outcome === 'indexed' || end?.outcome === 'unchanged');
      const isUnmet = row.source === 'crawl' && end === undefined;
      return [[textHash, { ...claim, isUnmet, ...(isHeld && { held: { row, was: end as Ending } }) }] as const];
    }),
  );
}

/** Whether a page has a text: by its row, unless this job has seen that it is not there any more, or left it to another. */
export const hasText = (textHash: string, row: RegisteredPage, met: MetUrl | undefined): boolean =>
  row.textHash === textHash && (row.source === 'ingest' || met?.outcome === undefined || KEEPS.has(met.outcome));
const KEEPS: ReadonlySet<string> = new Set(['indexed', 'unchanged', 'failed']);

/** Of pages with one text the shallowest stands for all, of equally deep ones the one with the smaller URL. */
export function isBetter(page: QueuedUrl, owner: TextOwner, { jobId }: Site): boolean {
  if (owner.held === undefined || owner.jobId !== jobId || owner.depth === undefined) return false;
  return page.depth < owner.depth || (page.depth === owner.depth && page.url < owner.url);
}

/**
 * Makes a page that was indexed the duplicate of a better one, which is still queued: a crash on the way is mended when that one comes
 * again. Until it is out of the registry its row is pending, so that whoever finds it would index it anew.
 */
export async function demote(
  { urlHash, held }: TextOwner,
  target: string,
  job: CrawlJob,
  {
    table,
    pageIndex,
    pageStore,
  }: { readonly table: Table; readonly pageIndex: PageIndex; readonly pageStore: PageStore },
): Promise<void> {
  if (!held) return;
  const { siteId, generation, jobId } = job;
  const { row, was } = held;
  const key = pageKey(siteId, generation, row);
  const page = { siteId, generation, urlHash, revision: row.revision };
  await writeHolding(
    [
      { check: jobKey(jobId), when: holding(job) },
      { update: key, set: { pending: true }, when: { exists: true } },
    ],
    table,
  );
  await pageIndex.remove([page], { visible: 'soon' });
  await writeHolding(
    [
      { update: jobKey(jobId), add: { [was.outcome]: -1, duplicate: 1 }, when: holding(job) },
      ...supplanting(jobId, row, was, target),
      { remove: key },
      { remove: textKey(siteId, generation, row.textHash) },
      { update: stateKey(siteId), add: { pageCount: row.counted ? -1 : 0 } },
    ],
    table,
  );
  await pageStore.remove([page]);
}
