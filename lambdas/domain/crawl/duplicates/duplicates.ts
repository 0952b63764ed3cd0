import { type PageIdentity, type RegisteredPage, readRows, textKey } from '../../pages/page-registry.ts';
import type { Change, Key, Table } from '../../ports/table.ts';
import type { CrawlJob } from '../jobs/job.ts';
import { type Ending, type JobUrl, jobUrlKey, type QueuedUrl } from '../jobs/url-rows.ts';

/*
 * One of all pages with the same text is indexed: the text owner. The others end as `duplicate`. If a job finds a
 * better owner than a page that it has indexed, that page becomes a duplicate (replaced-pages.ts). At the end of the
 * crawl, a duplicate is visited again if it is better than an owner that was visited after it (resolve-duplicates.ts).
 * Why the first page does not win: docs/decisions/013-duplicates.md.
 */

/** The page that is indexed among all pages with the same text. */
export type TextOwner = PageIdentity & {
  /** Its row and outcome, if this job indexed it or found it unchanged. Only then can it become a duplicate. */
  readonly demotable?: { readonly row: RegisteredPage; readonly was: Ending; readonly depth: number };
  /** Whether the job has yet to visit the page, perhaps again: it may be gone or have another text. */
  readonly isUnsure?: boolean;
  /** Whether the job has not found this URL. */
  readonly isUnmet?: boolean;
};

type Site = Pick<CrawlJob, 'siteId' | 'generation' | 'jobId' | 'dryRun'>;

/** Returns the key of the claim of a page that a dry run would index. */
const jobTextKey = (jobId: string, textHash: string): Key => ({ pk: `JOB#${jobId}`, sk: `TEXT#${textHash}` });
export const claimInJob = (
  jobId: string,
  { textHash, url, urlHash }: Pick<RegisteredPage, 'textHash' | 'url' | 'urlHash'>,
): Change => ({ put: { ...jobTextKey(jobId, textHash), url, urlHash } });

/** Returns the change that makes a page the owner of its text, so that other pages with the text end as duplicates. */
export const claimText = (
  { siteId, generation }: Pick<Site, 'siteId' | 'generation'>,
  { textHash, url, urlHash }: Pick<RegisteredPage, 'textHash' | 'url' | 'urlHash'>,
): Change => ({ put: { ...textKey(siteId, generation, textHash), url, urlHash } });

export async function textOwners(
  textHashes: readonly string[],
  site: Site,
  table: Table,
): Promise<Map<string, TextOwner>> {
  const claims = await readClaims([...new Set(textHashes)], site, table);
  const pages = [...claims.values()];
  const [rows, urls] = await Promise.all([readRows(site, pages, table), readJobUrls(pages, site, table)]);
  const owners = new Map<string, TextOwner>();
  for (const [textHash, claim] of claims) {
    const row = rows.get(claim.urlHash);
    const url = urls.get(claim.urlHash);
    if (row && hasText(textHash, row, url)) owners.set(textHash, ownerOf(claim, row, url));
  }
  if (site.dryRun)
    for (const [textHash, claim] of await readOwnClaims(textHashes, site, table)) owners.set(textHash, claim);
  return owners;
}

async function readClaims(
  textHashes: readonly string[],
  { siteId, generation }: Site,
  table: Table,
): Promise<ReadonlyMap<string, PageIdentity>> {
  const claims = await table.getMany<PageIdentity>(textHashes.map((hash) => textKey(siteId, generation, hash)));
  return new Map(
    textHashes.flatMap((textHash, index) => {
      const claim = claims[index];
      return claim ? [[textHash, claim] as const] : [];
    }),
  );
}

async function readOwnClaims(
  textHashes: readonly string[],
  { jobId }: Site,
  table: Table,
): Promise<ReadonlyMap<string, PageIdentity>> {
  const claims = await table.getMany<PageIdentity>(textHashes.map((hash) => jobTextKey(jobId, hash)));
  return new Map(
    textHashes.flatMap((textHash, index) => {
      const claim = claims[index];
      return claim ? [[textHash, { url: claim.url, urlHash: claim.urlHash }] as const] : [];
    }),
  );
}

async function readJobUrls(
  pages: readonly PageIdentity[],
  { jobId }: Site,
  table: Table,
): Promise<ReadonlyMap<string, JobUrl>> {
  const urls = await table.getMany<JobUrl>(pages.map(({ urlHash }) => jobUrlKey(jobId, urlHash)));
  return new Map(
    pages.flatMap(({ urlHash }, index) => {
      const url = urls[index];
      return url ? [[urlHash, url] as const] : [];
    }),
  );
}

function ownerOf(claim: PageIdentity, row: RegisteredPage, url: JobUrl | undefined): TextOwner {
  const isDemotable =
    row.source === 'crawl' && !row.pending && (url?.outcome === 'indexed' || url?.outcome === 'unchanged');
  const isCrawled = row.source === 'crawl';
  return {
    url: claim.url,
    urlHash: claim.urlHash,
    isUnsure: isCrawled && url?.outcome === undefined,
    isUnmet: isCrawled && url === undefined,
    ...(isDemotable && { demotable: { row, was: url as Ending, depth: url.depth } }),
  };
}

const KEEPS_TEXT: ReadonlySet<string> = new Set(['indexed', 'unchanged', 'failed']);

/**
 * Returns whether a page has a text according to its row, unless this job found the page gone or made it a duplicate.
 */
export const hasText = (textHash: string, row: RegisteredPage, url: JobUrl | undefined): boolean =>
  row.textHash === textHash && (row.source === 'ingest' || url?.outcome === undefined || KEEPS_TEXT.has(url.outcome));

export type IsNamed = (urlHash: string) => boolean;
type FoundPage = Pick<QueuedUrl, 'url' | 'urlHash' | 'depth'>;

/**
 * Sorts pages with the same text by the preference of a person: first pages that a sitemap names, or another page as
 * canonical, then the shallowest, then the shortest URL, then the alphabetically first.
 */
export const byPreference =
  (isNamed: IsNamed) =>
  (a: FoundPage, b: FoundPage): number =>
    Number(isNamed(b.urlHash)) - Number(isNamed(a.urlHash)) ||
    a.depth - b.depth ||
    a.url.length - b.url.length ||
    (a.url < b.url ? -1 : 1);

/** Returns whether a page replaces the text owner. An owner that this job has not visited stays for now. */
export const isBetter = (page: FoundPage, { url, urlHash, demotable }: TextOwner, isNamed: IsNamed): boolean =>
  demotable !== undefined && byPreference(isNamed)(page, { url, urlHash, depth: demotable.depth }) < 0;
