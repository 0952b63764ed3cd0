import type { Clock } from '../../clock.ts';
import { UnavailableError } from '../../errors.ts';
import type { RegisteredPage } from '../../pages/page-registry.ts';
import type { Table } from '../../ports/table.ts';
import type { Committer } from '../commit/commit.ts';
import { storedPages } from '../fetch/revalidation.ts';
import type { Visit } from '../fetch/visit-result.ts';
import type { Frontier } from '../frontier/frontier.ts';
import type { QueuedUrl } from '../frontier/frontier-rows.ts';
import type { CrawlJob } from '../job/job.ts';
import { renewLease } from '../job/slice.ts';

/** So often may a holder die alone with a URL before the URL is given up. */
const MOST_DEATHS = 3;

type SuspectDeps = {
  readonly table: Table;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  readonly frontier: Frontier;
  readonly committer: Committer;
  readonly visit: (queued: QueuedUrl, held: RegisteredPage | undefined) => Promise<Visit>;
};

/** While a service is away, a suspect is tried so far apart. */
const BACK_OFF_MS = 30_000;

/**
 * Works one URL that was in flight at a crash, with nothing beside it: if this dies too, the URL is to blame.
 * False if a service was away, for which the URL is not to blame.
 */
export async function tryAlone(suspect: string, job: CrawlJob, deps: SuspectDeps): Promise<boolean> {
  try {
    await work(suspect, job, deps);
    return true;
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    await deps.sleep(BACK_OFF_MS);
    return false;
  }
}

async function work(suspect: string, job: CrawlJob, deps: SuspectDeps): Promise<void> {
  const queued = await deps.frontier.find(suspect);
  if (!queued) return;
  if ((job.deaths[suspect] ?? 0) >= MOST_DEATHS) {
    const givenUp = {
      queued,
      fetched: false,
      answered: false,
      found: [],
      ending: { outcome: 'failed', reason: 'gave_up' },
    } as const;
    return deps.committer.commit([givenUp]);
  }
  await renewLease(job, { inFlight: [suspect] }, deps);
  const held = await storedPages([queued], job, deps.table);
  await deps.committer.commit([await deps.visit(queued, held.get(suspect))]);
}
