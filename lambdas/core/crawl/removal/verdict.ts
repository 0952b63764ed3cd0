import { filledFields } from '../../content/fields/filled-fields.ts';
import { textHashOf } from '../../pages/page-hashes.ts';
import { type RegisteredPage, readRows, textKey } from '../../pages/page-registry.ts';
import type { Table } from '../../ports/table.ts';
import { REMOVAL_REASONS, type RemovalReason } from '../../reviews/review.ts';
import { urlHash } from '../../web/url.ts';
import type { FoundPage, Visit, VisitRules } from '../fetch/visit-result.ts';
import type { NextTry } from '../frontier/frontier-rows.ts';
import type { CrawlJob } from '../job/job.ts';

/** What a probe says of a page. `unknown`: the server does not say, so the page stays. */
export type Verdict =
  | { readonly kind: 'gone'; readonly reason: RemovalReason }
  | { readonly kind: 'alive' | 'unknown' | 'missing' }
  | { readonly kind: 'later'; readonly next: NextTry };

export type VerdictDeps = {
  readonly job: CrawlJob;
  readonly table: Table;
  readonly rules: VisitRules;
  /** Whether a page stays in the index, so that another may be left out in its favour. */
  readonly isPage: (url: string) => Promise<boolean>;
};

const UNKNOWN: Verdict = { kind: 'unknown' };
const gone = (reason: RemovalReason): Verdict => ({ kind: 'gone', reason });
const isRemovalReason = (reason: string | undefined): reason is RemovalReason =>
  (REMOVAL_REASONS as readonly (string | undefined)[]).includes(reason);

export async function verdictOf(visit: Visit, deps: VerdictDeps): Promise<Verdict> {
  if ('next' in visit) return { kind: 'later', next: visit.next };
  if ('content' in visit) return (await isDuplicate(visit, deps)) ? gone('duplicate') : { kind: 'alive' };
  if (!('ending' in visit)) return UNKNOWN;
  const { outcome, reason, target } = visit.ending;
  if ((outcome !== 'gone' && outcome !== 'skipped') || !isRemovalReason(reason)) return UNKNOWN;
  if (reason === 'canonical' && !(target !== undefined && (await deps.isPage(target)))) return { kind: 'alive' };
  return gone(reason);
}

/** Whether another page that stays has the same text. */
async function isDuplicate(
  { queued, content }: Visit & FoundPage,
  { job, table, rules: { fields }, isPage }: VerdictDeps,
): Promise<boolean> {
  const metadata = filledFields(fields, queued.url, content.sourceValues);
  const textHash = textHashOf(content, metadata, fields);
  const owner = await table.get<Pick<RegisteredPage, 'url' | 'urlHash'>>(textKey(job.siteId, job.generation, textHash));
  if (!owner || owner.urlHash === queued.urlHash) return false;
  const row = (await readRows(job, [owner], table)).get(owner.urlHash);
  return row?.textHash === textHash && (await isPage(owner.url));
}

/** The row of a page that the site has and that is not being removed. */
export async function keptRow(
  url: string,
  job: Pick<CrawlJob, 'siteId' | 'generation'>,
  table: Table,
): Promise<RegisteredPage | undefined> {
  const hash = urlHash(url);
  const row = (await readRows(job, [{ url, urlHash: hash }], table)).get(hash);
  return row?.removing ? undefined : row;
}
