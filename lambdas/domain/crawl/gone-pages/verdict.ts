import { filledFields } from '../../../text/fields/filled-fields.ts';
import { urlHash } from '../../../text/web/url.ts';
import { textHashOf } from '../../pages/page-hashes.ts';
import { type RegisteredPage, readRows, textKey } from '../../pages/page-registry.ts';
import { leadsToPage } from '../commit/requeue-orphans.ts';
import type { FoundPage, Visit } from '../fetch/visit-result.ts';
import { isSweep } from '../jobs/job.ts';
import type { Slice } from '../jobs/slice.ts';
import type { NextTry } from '../jobs/url-rows.ts';
import { REMOVAL_REASONS, type RemovalReason } from '../reviews/review.ts';
import { type Probe, readProbe } from './probe-rows.ts';
import type { ProbeRules, Probing } from './probe-rules.ts';

/** The result of a page's probe. `unknown`: the server does not tell, so the page stays. */
export type Verdict =
  | { readonly kind: 'gone'; readonly reason: RemovalReason }
  | { readonly kind: 'alive' | 'unknown' | 'missing' }
  | { readonly kind: 'later'; readonly next: NextTry };

const UNKNOWN: Verdict = { kind: 'unknown' };
const ALIVE: Verdict = { kind: 'alive' };
const gone = (reason: RemovalReason): Verdict => ({ kind: 'gone', reason });
const isRemovalReason = (reason: string | undefined): reason is RemovalReason =>
  (REMOVAL_REASONS as readonly (string | undefined)[]).includes(reason);

/**
 * Returns the verdict of a fetch. A sweep removes a page as replaced by another only if the crawl listed it for that
 * reason. Any other page with content is back.
 */
export async function verdictOf(visit: Visit, { listedFor }: Probe, probing: Probing): Promise<Verdict> {
  const verdict = await ofVisit(visit, probing);
  const isReplaced = verdict.kind === 'gone' && (verdict.reason === 'duplicate' || verdict.reason === 'canonical');
  return isReplaced && listedFor !== undefined && verdict.reason !== listedFor ? ALIVE : verdict;
}

async function ofVisit(visit: Visit, probing: Probing): Promise<Verdict> {
  if ('next' in visit) return { kind: 'later', next: visit.next };
  if ('content' in visit) return (await isDuplicate(visit, probing)) ? gone('duplicate') : ALIVE;
  if (!('ending' in visit)) return UNKNOWN;
  const { outcome, reason, target } = visit.ending;
  if ((outcome !== 'gone' && outcome !== 'skipped') || !isRemovalReason(reason)) return UNKNOWN;
  if (reason === 'canonical' && !(target !== undefined && (await staysIndexed(target, probing.slice)))) return ALIVE;
  return gone(reason);
}

/** Returns whether another page that stays has the same text. */
async function isDuplicate(
  { queued, content }: Visit & FoundPage,
  { slice, rules: { visit } }: Probing,
): Promise<boolean> {
  const { job, table } = slice;
  const metadata = filledFields(visit.fields, queued.url, content.sourceValues);
  const textHash = textHashOf(content, metadata, visit.fields);
  const owner = await table.get<Pick<RegisteredPage, 'url' | 'urlHash'>>(textKey(job.siteId, job.generation, textHash));
  if (!owner || owner.urlHash === queued.urlHash) return false;
  const row = (await readRows(job, [owner], table)).get(owner.urlHash);
  return row?.textHash === textHash && (await staysIndexed(owner.url, slice));
}

/**
 * Returns whether a page stays in the index, so that another may be removed in its favour. A page that the crawl has
 * not seen, or that the same review lists, may be gone itself.
 */
async function staysIndexed(url: string, slice: Slice): Promise<boolean> {
  if (!isSweep(slice.job) && (await leadsToPage({ target: url }, slice))) return true;
  const row = await keptRow(url, slice);
  if (!row) return false;
  return isSweep(slice.job) ? (await readProbe(row.urlHash, slice)) === undefined : row.source === 'ingest';
}

/** Returns the row of a page that exists and is not being removed. */
async function keptRow(url: string, { job, table }: Slice): Promise<RegisteredPage | undefined> {
  const hash = urlHash(url);
  const row = (await readRows(job, [{ url, urlHash: hash }], table)).get(hash);
  return row?.removing ? undefined : row;
}

/** Returns the verdicts that need no fetch. An ingested page stays, and so does a page outside the crawl. */
export function knownVerdicts(
  probes: readonly Probe[],
  rows: ReadonlyMap<string, RegisteredPage>,
  rules: ProbeRules,
): ReadonlyMap<Probe, Verdict> {
  return new Map(
    probes.flatMap((probe) => {
      const verdict = knownVerdict(probe, rows.get(probe.urlHash), rules);
      return verdict ? [[probe, verdict] as const] : [];
    }),
  );
}

function knownVerdict(
  { url, isMoved }: Probe,
  row: RegisteredPage | undefined,
  rules: ProbeRules,
): Verdict | undefined {
  if (!row) return { kind: 'missing' };
  if (row.source === 'ingest') return { kind: 'unknown' };
  if (isMoved) return { kind: 'gone', reason: 'redirect' };
  const verdict = rules.verdict(url);
  if (verdict === undefined) return undefined;
  return verdict === 'outside' ? { kind: 'unknown' } : { kind: 'gone', reason: verdict };
}
