import { type RegisteredPage, readRows, textKey } from '../../pages/page-registry.ts';
import type { Change, Table } from '../../ports/table.ts';
import { type Ending, type JobUrl, jobUrlKey, type QueuedUrl } from '../frontier/frontier-rows.ts';
import type { CrawlJob } from '../job/job.ts';

/** The item of a text: which page owns it, and in which job and at which depth it was found. */
type TextClaim = Pick<RegisteredPage, 'url' | 'urlHash'> & { readonly jobId?: string; readonly depth?: number };

/** The one page that is indexed of all pages with the same text. */
export type TextOwner = TextClaim & {
  /** Its row and how its URL ended, if this job has indexed it or found it unchanged: it can become a duplicate. */
  readonly demotable?: { readonly row: RegisteredPage; readonly was: Ending };
  /** This job has not visited it yet, or will again: it may be gone or have another text. */
  readonly isUnsure?: boolean;
};

type Site = Pick<CrawlJob, 'siteId' | 'generation' | 'jobId'>;

/** The change that makes a page the owner of its text, so that other pages with the text end as duplicates. */
export const claimText = (
  { siteId, generation, jobId }: Site,
  { textHash, url, urlHash }: Pick<RegisteredPage, 'textHash' | 'url' | 'urlHash'>,
  { depth }: Pick<QueuedUrl, 'depth'>,
): Change => ({ put: { ...textKey(siteId, generation, textHash), url, urlHash, jobId, depth } });

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
  return owners;
}

async function readClaims(
  textHashes: readonly string[],
  { siteId, generation }: Site,
  table: Table,
): Promise<ReadonlyMap<string, TextClaim>> {
  const claims = await table.getMany<TextClaim>(textHashes.map((hash) => textKey(siteId, generation, hash)));
  return new Map(
    textHashes.flatMap((textHash, index) => {
      const claim = claims[index];
      return claim ? [[textHash, claim] as const] : [];
    }),
  );
}

async function readJobUrls(
  pages: readonly TextClaim[],
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

function ownerOf(claim: TextClaim, row: RegisteredPage, url: JobUrl | undefined): TextOwner {
  const isDemotable =
    row.source === 'crawl' && !row.pending && (url?.outcome === 'indexed' || url?.outcome === 'unchanged');
  const isUnsure = row.source === 'crawl' && url?.outcome === undefined;
  return { ...claim, isUnsure, ...(isDemotable && { demotable: { row, was: url as Ending } }) };
}

const KEEPS_TEXT: ReadonlySet<string> = new Set(['indexed', 'unchanged', 'failed']);

/** Whether a page has a text: by its row, unless this job has found it gone or has made it a duplicate. */
export const hasText = (textHash: string, row: RegisteredPage, url: JobUrl | undefined): boolean =>
  row.textHash === textHash && (row.source === 'ingest' || url?.outcome === undefined || KEEPS_TEXT.has(url.outcome));

/**
 * Whether a page takes the text over. Of the pages that this job has visited, the shallowest owns a text; of equally
 * deep ones the one whose URL sorts first. An owner that this job has not visited keeps it.
 */
export function isBetter(page: QueuedUrl, owner: TextOwner, { jobId }: Site): boolean {
  if (owner.demotable === undefined || owner.jobId !== jobId || owner.depth === undefined) return false;
  return page.depth < owner.depth || (page.depth === owner.depth && page.url < owner.url);
}
