import { defined } from '../../../text/defined.ts';
import { originOf } from '../../../text/web/url.ts';
import { isDue } from '../../clock.ts';
import { UnavailableError } from '../../errors.ts';
import { readRows } from '../../pages/page-registry.ts';
import { FetchPool } from '../fetch/fetch-pool.ts';
import { storedPages, withStoredPages } from '../fetch/stored-pages.ts';
import type { Visit } from '../fetch/visit-result.ts';
import { MAX_RETRY_AFTER_MS, urlMark } from '../jobs/job.ts';
import { LEASE_RENEWAL_MS, type Slice } from '../jobs/slice.ts';
import type { QueuedUrl } from '../jobs/url-rows.ts';
import { firstProbes, type Probe, readProbe } from './probe-rows.ts';
import type { Probing } from './probe-rules.ts';
import { type Round, settleRound } from './settle-round.ts';
import { knownVerdicts, verdictOf } from './verdict.ts';

/** Number of pages probed in a round and then settled in one write, with two items each. */
const PROBES_PER_ROUND = 25;
/** Maximum number of listed pages in which a round looks for probes that are due. */
const MAX_WAITING = 200;
/** Number of unanswered probes in a row after which the server counts as unreachable. */
const MAX_UNANSWERED = 20;
/** Number of times that the worker may die alone with a page before the page counts as unknown. */
const MAX_CRASHES = 3;
const MAX_WAIT_MS = 1000;
const BACK_OFF_MS = 2000;

export type ProbeStop = { readonly kind: 'done' | 'time' | 'unreachable'; readonly poisonUrls?: readonly string[] };

/** Probes the pages of a job in rounds, as politely as a crawl, until none is left or time is up. */
export class ProbeLoop {
  readonly #probing: Probing;
  readonly #slice: Slice;
  readonly #pool: FetchPool;
  #unanswered = 0;
  #renewedAt: number;

  constructor(probing: Probing) {
    const { slice, rules, clock } = probing;
    this.#probing = probing;
    this.#slice = slice;
    this.#renewedAt = clock();
    const { spacingMs } = rules;
    const refusals = { isPartial: slice.job.refusals?.isPartial === true };
    this.#pool = new FetchPool(
      { ...probing, rules: rules.visit, refusals },
      { mayStart: () => !isOver(slice) },
      { spacingMs, notBefore: clock() + Math.max(slice.pauseMs, spacingMs) },
    );
  }

  async run(): Promise<ProbeStop> {
    const { job } = this.#slice;
    let failure: UnavailableError | undefined;
    while (!isOver(this.#slice)) {
      try {
        const stop = await this.#round();
        if (stop) return stop;
        failure = undefined;
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
        failure = error;
        this.#dropVisits(); // they are probed again
        await this.#slice.sleep(BACK_OFF_MS);
      }
    }
    if (failure && this.#slice.isOverdue) throw failure;
    return { kind: 'time', poisonUrls: job.poisonUrls };
  }

  async #round(): Promise<ProbeStop | undefined> {
    const { job, clock, sleep } = this.#slice;
    if (this.#slice.isOverdue) return { kind: 'unreachable' };
    if (job.poisonUrls.length > 0) return { kind: 'time', poisonUrls: await this.#tryPoison() };
    const probes = await firstProbes(MAX_WAITING, this.#slice);
    if (probes.length === 0) return { kind: 'done' };
    const due = probes
      .filter(({ notBefore = 0 }) => isDue(notBefore, clock(), MAX_RETRY_AFTER_MS))
      .slice(0, PROBES_PER_ROUND);
    if (due.length === 0) await sleep(MAX_WAIT_MS);
    await this.#probe(due);
    return this.#unanswered >= MAX_UNANSWERED ? { kind: 'unreachable' } : undefined;
  }

  /** Probes alone the first page that was in flight at a crash. Returns those left for the next slices. */
  async #tryPoison(): Promise<readonly string[]> {
    const { job } = this.#slice;
    const found = await Promise.all(job.poisonUrls.map((mark) => readProbe(mark, this.#slice)));
    const [first, ...others] = found.filter((probe) => probe !== undefined);
    if (first && (job.crashes[urlMark(first.urlHash)] ?? 0) >= MAX_CRASHES)
      await this.#slice.attempt(() => settleRound(givenUp(first), this.#probing));
    else if (first) await this.#probe([first]);
    return others.map(({ urlHash }) => urlHash);
  }

  async #probe(probes: readonly Probe[]): Promise<void> {
    const { job, table } = this.#slice;
    const { rules, pageStore } = this.#probing;
    const rows = await readRows(job, probes, table); // before the fetch, so that a page written after it stays
    const known = knownVerdicts(probes, rows, rules);
    const toFetch = probes.filter((probe) => !known.has(probe));
    if (toFetch.length > 0) {
      const urls = toFetch.map(asQueued);
      const stored = await storedPages(urls, job, table);
      await this.#renew(toFetch.map(({ urlHash }) => urlHash));
      this.#pool.add(urls, stored);
      await this.#fetchAll();
    }
    const made = this.#pool.done;
    await this.#slice.attempt(async () => {
      const visits = await withStoredPages(made, job, rules.visit, pageStore);
      const verdicts = new Map(known);
      for (const probe of toFetch) {
        const visit = visits.findLast(({ queued }) => queued.urlHash === probe.urlHash);
        if (visit) verdicts.set(probe, await verdictOf(visit, probe, this.#probing));
      }
      if (verdicts.size > 0) await settleRound({ verdicts, rows, pausedUntil: pauseOf(made) }, this.#probing);
    });
    this.#countUnanswered(made);
    this.#dropVisits();
  }

  /** Waits until all answers have arrived or time is up. */
  async #fetchAll(): Promise<void> {
    const { sleep, clock } = this.#slice;
    const pool = this.#pool;
    while (pool.active + pool.waiting > 0 && !isOver(this.#slice)) {
      pool.start();
      if (pool.active > 0) await Promise.race([pool.arrival(), sleep(MAX_WAIT_MS)]);
      else await sleep(Math.min(Math.max(pool.pauseMs, 1), MAX_WAIT_MS));
      if (clock() - this.#renewedAt > LEASE_RENEWAL_MS) await this.#renew(pool.inFlight);
    }
    pool.pause();
  }

  #dropVisits(): void {
    this.#pool.dropWaiting();
    this.#pool.dropDone(this.#pool.done.length);
  }

  #countUnanswered(visits: readonly Visit[]): void {
    const { origin } = this.#probing.rules.visit.filter;
    for (const one of visits)
      if (isAnswered(one)) this.#unanswered = 0;
      else if (originOf(one.queued.url) === origin) this.#unanswered++; // a server that the site has left may be down
  }

  async #renew(inFlight: readonly string[]): Promise<void> {
    await this.#slice.renew({ inFlight });
    this.#renewedAt = this.#slice.clock();
  }
}

const isOver = ({ clock, deadline, halt }: Slice): boolean => clock() >= deadline || halt.aborted;

const givenUp = (probe: Probe): Round => ({
  verdicts: new Map([[probe, { kind: 'unknown' }]]),
  rows: new Map(),
  pausedUntil: undefined,
});

const asQueued = ({ url, urlHash, tries, notBefore, isUnconditional }: Probe): QueuedUrl => ({
  url,
  urlHash,
  depth: 0,
  ...defined({ tries, notBefore }),
  ...(isUnconditional && { isUnconditional }),
});

const NO_ANSWER: ReadonlySet<string | undefined> = new Set(['timeout', 'dns', 'connection', 'unavailable']);

/** Returns whether the server answered. A server that refuses a page, for example with 403, is up. */
const isAnswered = (visit: Visit): boolean => {
  if ('next' in visit) return false;
  if (!('ending' in visit)) return true;
  const { reason, status = 0 } = visit.ending;
  return status < 500 && !NO_ANSWER.has(reason);
};

function pauseOf(visits: readonly Visit[]): number | undefined {
  const moments = visits.flatMap((visit) => ('next' in visit && visit.slowsDown ? [visit.next.notBefore] : []));
  return moments.length === 0 ? undefined : Math.max(...moments);
}
