import { filledFields } from '../../../text/fields/filled-fields.ts';
import { urlHash } from '../../../text/web/url.ts';
import { textHashOf } from '../../pages/page-hashes.ts';
import { type RegisteredPage, readRows, textKey } from '../../pages/page-registry.ts';
import { writeUnrefused } from '../../pages/write-unrefused.ts';
import type { Change, FieldChanges, Table } from '../../ports/table.ts';
import type { FoundPage, Visit, VisitRules } from '../fetch/visit-result.ts';
import { type CrawlJob, jobKey } from '../jobs/job.ts';
import { holdsLease, LostLease, type Slice } from '../jobs/slice.ts';
import type { NextTry } from '../jobs/url-rows.ts';
import { REMOVAL_REASONS, type RemovalReason } from '../reviews/review.ts';
import { endProbe, type Probe, postponeProbe } from './probe-rows.ts';
import type { ProbeRules } from './probe-rules.ts';

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

/** The verdicts that need no fetch. An ingested page stays, and so does one that is outside of the crawl. */
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

type Settling = {
  /** Further changes that are written with the end of the probe. */
  readonly also?: (probe: Probe, verdict: Verdict) => readonly Change[];
  /** Changes of the job for these verdicts, which are written with them. */
  readonly ofJob: (verdicts: readonly Verdict[]) => FieldChanges;
  readonly pausedUntil: number | undefined;
};

/** Ends or postpones the probes of one round, each once, under the job's lease. */
export async function settleVerdicts(
  verdicts: ReadonlyMap<Probe, Verdict>,
  slice: Slice,
  { also = () => [], ofJob, pausedUntil }: Settling,
): Promise<void> {
  const { job, table } = slice;
  const changes = (probe: Probe, verdict: Verdict): readonly Change[] =>
    verdict.kind === 'later'
      ? [postponeProbe(probe, verdict.next, slice)]
      : [endProbe(probe, slice), ...also(probe, verdict)];
  const changesOf = new Map([...verdicts].map(([probe, verdict]) => [probe, changes(probe, verdict)] as const));
  await writeUnrefused(
    {
      changesOf,
      shared: (left) => {
        const { set, add } = ofJob(left.flatMap((probe) => verdicts.get(probe) ?? []));
        const currentUrl = left.at(-1)?.url;
        return [
          {
            update: jobKey(job.jobId),
            set: {
              ...set,
              ...(currentUrl !== undefined && { currentUrl }),
              ...(pausedUntil !== undefined && { pausedUntil }),
            },
            ...(add && { add }),
            when: holdsLease(job),
          },
        ];
      },
      refuse: () => Promise.reject(new LostLease()),
    },
    table,
  );
}
