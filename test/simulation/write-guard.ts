import { type CrawlJob, hasEnded, isSweep, jobKey } from '../../lambdas/domain/crawl/jobs/job.ts';
import { pageKey, type RegisteredPage } from '../../lambdas/domain/pages/page-registry.ts';
import { PENDING_WRITES } from '../../lambdas/domain/pages/pending-writes.ts';
import type { IndexEntry } from '../../lambdas/domain/ports/page-index.ts';
import type { PageAddress } from '../../lambdas/domain/ports/page-store.ts';
import { keyOf } from '../../lambdas/domain/ports/rules/table-limits.ts';
import type { Change } from '../../lambdas/domain/ports/table.ts';
import { type SiteState, settingsKey } from '../../lambdas/domain/sites/site.ts';
import type { TableState } from '../support/memory/table.ts';
import type { Faults } from './faults.ts';
import type { PageIndexState } from './page-index-state.ts';
import type { Scheduler } from './scheduler.ts';
import type { SimulatedProcess } from './simulated-process.ts';

type GuardDeps = {
  readonly state: TableState;
  readonly index: PageIndexState;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly report: (violation: string) => void;
};

type Holder = { readonly jobId: string; readonly fence: number };

/** A cancel takes effect within this time. */
const LATEST_FETCH_MS = 5000;
/** A call that began this long before the end of a job may have been affected by a fault. */
const MAX_CALL_MS = 8000;

/** Checks each write and fetch of the crawl's workers: only the lease-holder of a running job may change anything. */
export class WriteGuard {
  readonly #deps: GuardDeps;
  readonly #holders = new Map<SimulatedProcess, Holder>();
  readonly #beganAt = new Map<string, number>();
  readonly #endedAt = new Map<string, number>();

  constructor(deps: GuardDeps) {
    this.#deps = deps;
  }

  readonly table = (process: SimulatedProcess, changes: readonly Change[]): void => {
    for (const change of changes) {
      this.#watchBegin(change);
      this.#watchEnd(change);
    }
    const [first] = changes;
    if (
      !isWorker(process) ||
      !first ||
      isEndOfWrite(first) ||
      isSettled(first) ||
      this.#isClaim(first, process) ||
      this.#isReservation(first, process)
    )
      return;
    const holder = this.#holders.get(process);
    const job = holder && this.#job(holder.jobId);
    if (!job || job.fence !== holder.fence || job.status !== 'running')
      this.#deps.report(`${process.name} writes ${keyOf(first).pk} ${keyOf(first).sk} without the job's lease`);
  };

  readonly text = (process: SimulatedProcess, { urlHash, revision }: PageAddress, isFree: boolean): void => {
    if (!isFree) this.#deps.report(`${process.name} changes the text of ${urlHash} at revision ${revision}`);
  };

  /** After a lost lease, only entries of a deleted site, or entries that a newer revision replaces, may be put. */
  readonly entry = (process: SimulatedProcess, { siteId, generation, url, urlHash, revision }: IndexEntry): void => {
    const holder = this.#holders.get(process);
    const job = holder && this.#job(holder.jobId);
    if ((job && job.fence === holder.fence && job.status === 'running') || !this.#deps.state.get(settingsKey(siteId)))
      return;
    const row = this.#deps.state.get(pageKey(siteId, generation, { url, urlHash }));
    if (!row || (row as unknown as RegisteredPage).revision < revision)
      this.#deps.report(`${process.name} indexes ${url} at revision ${revision}, which the registry does not know`);
  };

  readonly fetch = (process: SimulatedProcess, url: string): void => {
    const { scheduler, faults, report } = this.#deps;
    const ended = this.#endedAt.get(this.#holders.get(process)?.jobId ?? '');
    if (ended === undefined || scheduler.now - ended <= LATEST_FETCH_MS) return;
    if (faults.hadTroubleSince(ended - MAX_CALL_MS)) return;
    report(`${process.name} fetches ${url} ${scheduler.now - ended} ms after the job's end`);
  };

  /** Times are simulated. The end of a running job is infinite. */
  beganAt = (jobId: string): number => this.#beganAt.get(jobId) ?? 0;
  endedAt = (jobId: string): number => this.#endedAt.get(jobId) ?? Number.POSITIVE_INFINITY;

  /** The job that a process has claimed last. */
  jobOf(process: SimulatedProcess): CrawlJob | undefined {
    const holder = this.#holders.get(process);
    return holder && this.#job(holder.jobId);
  }

  #job(jobId: string): CrawlJob | undefined {
    return this.#deps.state.get(jobKey(jobId)) as unknown as CrawlJob | undefined;
  }

  #isClaim(change: Change, process: SimulatedProcess): boolean {
    if (!('update' in change) || change.update.sk !== 'JOB' || change.add?.fence === undefined) return false;
    const jobId = change.update.pk.slice('JOB#'.length);
    this.#holders.set(process, { jobId, fence: (this.#job(jobId)?.fence ?? 0) + change.add.fence });
    return true;
  }

  /** Revisions that are reserved and never used are harmless. */
  #isReservation(change: Change, process: SimulatedProcess): boolean {
    if (!('update' in change) || change.update.sk !== 'STATE' || change.add?.revision === undefined) return false;
    const state = this.#deps.state.get(change.update) as unknown as SiteState | undefined;
    const jobId = this.#holders.get(process)?.jobId;
    return jobId !== undefined && [state?.runningJobId, state?.runningSweepId].includes(jobId);
  }

  /** When a job has completed, its pages can be found. */
  #checkVisible({ jobId, siteId }: CrawlJob): void {
    const visible = new Set(this.#deps.index.of(siteId, 'visible'));
    for (const entry of this.#deps.index.of(siteId))
      if (!visible.has(entry)) this.#deps.report(`${jobId} completes before ${entry.url} is visible`);
  }

  #watchBegin(change: Change): void {
    if ('put' in change && change.put.sk === 'JOB')
      this.#beganAt.set(change.put.pk.slice('JOB#'.length), this.#deps.scheduler.now);
  }

  #watchEnd(change: Change): void {
    const { pk, sk } = keyOf(change);
    if (sk !== 'JOB' || !('update' in change)) return;
    const jobId = pk.slice('JOB#'.length);
    const job = this.#job(jobId);
    if (!job || hasEnded(job)) this.#deps.report(`${jobId} is changed after its end`);
    else if (hasEnded({ ...job, ...change.set } as CrawlJob)) {
      this.#endedAt.set(jobId, this.#deps.scheduler.now);
      if (change.set?.status === 'completed' && !isSweep(job)) this.#checkVisible(job);
    }
  }
}

const isWorker = ({ name }: SimulatedProcess): boolean => name.startsWith('crawl ');

/** A row whose page is indexed is no longer pending. It changes nothing else, and only at its revision. */
const isSettled = (change: Change): boolean => 'update' in change && change.unset?.includes('pending') === true;

/** The pages are finished: the item that named them has no effect on anything else. */
const isEndOfWrite = (change: Change): boolean => 'remove' in change && change.remove.pk === PENDING_WRITES;
