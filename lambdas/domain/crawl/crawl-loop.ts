import { UnavailableError } from '../errors.ts';
import type { RegisteredPage } from '../pages/page-registry.ts';
import type { PageDraft } from '../pages/page-writer.ts';
import type { Turns } from '../turns.ts';
import { BackgroundCommit, LONGEST_WAIT_MS } from './commit/background-commit.ts';
import { type CommitDeps, type Committer, PAGES_PER_COMMIT } from './commit/commit.ts';
import { requeueOrphans } from './commit/requeue-orphans.ts';
import { settleAliases } from './commit/settle-aliases.ts';
import { finishDemotions } from './duplicates/demotions.ts';
import { type JudgedDuplicates, judgeDuplicates } from './duplicates/judge-duplicates.ts';
import { reportNearDuplicates } from './duplicates/near-duplicates.ts';
import { CONNECTIONS_PER_HOST, FetchPool } from './fetch/fetch-pool.ts';
import { FetchScheduler } from './fetch/fetch-scheduler.ts';
import type { Refusals } from './fetch/refusals.ts';
import type { Visit } from './fetch/visit-result.ts';
import type { Frontier } from './frontier/frontier.ts';
import { LEASE_RENEWAL_MS, type Slice } from './jobs/slice.ts';
import type { QueuedUrl } from './jobs/url-rows.ts';

const MAX_UNCOMMITTED = 2 * PAGES_PER_COMMIT + 10;
const BACK_OFF_MS = 2000;

export type PreparedCrawl = {
  readonly frontier: Frontier;
  readonly committer: Committer;
  /** Milliseconds between two fetches: the site's `Crawl-delay` or the owner's `delayMs`. */
  readonly spacingMs: number;
  readonly refusals: Refusals;
  readonly visit: (
    queued: QueuedUrl,
    stored: RegisteredPage | undefined,
    beforeReading?: () => void | Promise<void>,
  ) => Promise<Visit>;
  /** A page that is shown in a browser keeps its connection: the browser is slower than the fetches. */
  readonly keepsConnections: boolean;
  /** Waits for the turn to read a poison URL. */
  readonly readAlone: Turns;
  /** Whether the server answers this URL now, with anything but a refusal. */
  readonly isAnswered: (url: string) => Promise<boolean>;
};

/** A dry run keeps the first owner of each text. */
const NOTHING_JUDGED: JudgedDuplicates = { duplicates: [], orphans: [], better: [] };

/** Why the loop stopped: `refused` if the server answers everything 429 or 503, or asks for too long a pause. */
export type Stop = 'done' | 'limit' | 'time' | 'refused';

/** Schedules, fetches and commits until the frontier is empty, a limit is reached or time is up. */
export class CrawlLoop {
  readonly #slice: Slice;
  readonly #crawl: PreparedCrawl;
  readonly #deps: CommitDeps;
  readonly #pool: FetchPool;
  readonly #scheduler: FetchScheduler;
  readonly #commits: BackgroundCommit;
  #renewedAt: number;
  #hasMoved = false;
  #isPaceRestored = false;

  constructor(slice: Slice, crawl: PreparedCrawl, deps: CommitDeps) {
    const { clock, sleep } = slice;
    const { frontier, committer, spacingMs } = crawl;
    this.#slice = slice;
    this.#crawl = crawl;
    this.#deps = deps;
    this.#renewedAt = clock();
    const notBefore = clock() + Math.max(slice.pauseMs, spacingMs);
    const rules = { connections: CONNECTIONS_PER_HOST, spacingMs, notBefore, clock };
    this.#pool = new FetchPool(rules, (queued, release) => this.#visit(queued, release));
    this.#scheduler = new FetchScheduler(slice, {
      frontier,
      pool: this.#pool,
      announce: (inFlight) => this.#renew(inFlight),
    });
    const onCommitted = (visits: readonly Visit[]) => this.#onCommitted(visits);
    this.#commits = new BackgroundCommit({ committer, pool: this.#pool, clock, sleep, onCommitted });
  }

  /**
   * A site that has moved also stops as `time`: the next slice applies the rules of the new origin. At all other stops
   * the written pages are searchable.
   */
  async run(): Promise<Stop> {
    try {
      return await this.#work();
    } finally {
      this.#pool.pause();
      await this.#commits.settle();
    }
  }

  async #work(): Promise<Stop> {
    const { clock, deadline, halt, sleep } = this.#slice;
    let failure: UnavailableError | undefined;
    while (clock() < deadline && !halt.aborted && !this.#hasMoved) {
      try {
        const stop = await this.#step();
        if (stop) return stop;
        failure = undefined;
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
        failure = error;
        await sleep(BACK_OFF_MS); // finished visits stay in the pool and are committed later
      }
    }
    if (failure && this.#slice.isOverdue) throw failure;
    this.#pool.pause();
    await this.#commits.flush().catch(ignoreUnavailable); // what cannot be written is still queued
    return 'time';
  }

  async #step(): Promise<Stop | undefined> {
    const { writesEnded } = this.#commits;
    const expansion = this.#commits.nextExpansion();
    await this.#scheduler.refill(CONNECTIONS_PER_HOST);
    this.#pool.start((active) => this.#mayStart(active));
    const isIdle = this.#pool.active === 0 && this.#pool.done.length === 0;
    if (isIdle && writesEnded === this.#commits.writesEnded) {
      const stop = await this.#stopWhenIdle();
      if (stop && (await this.#slice.keepAlive(() => this.#isFinal(stop)))) return stop;
    }
    await this.#wait(expansion);
    this.#commits.throwFailure(); // before the batch is tried again
    if (this.#commits.isDue) this.#commits.begin();
    if (this.#slice.clock() - this.#renewedAt > LEASE_RENEWAL_MS) await this.#renew();
    return undefined;
  }

  #mayStart(active: number): boolean {
    const hasRoom = active + this.#pool.done.length < MAX_UNCOMMITTED;
    return hasRoom && !this.#crawl.refusals.isExhausted && !this.#isLimitReached;
  }

  async #visit(queued: QueuedUrl, release: () => void): Promise<Visit> {
    const startedAt = this.#slice.clock();
    const beforeReading = this.#crawl.keepsConnections ? undefined : release;
    const visit = await this.#crawl.visit(queued, this.#scheduler.takeStored(queued), beforeReading);
    if (visit.slowsDown) this.#pool.slowDown('next' in visit ? visit.next.notBefore : this.#slice.clock(), startedAt);
    if (this.#crawl.refusals.isPartial && !this.#isPaceRestored) {
      this.#isPaceRestored = true;
      this.#pool.restorePace();
    }
    return visit;
  }

  async #stopWhenIdle(): Promise<Stop | undefined> {
    if (this.#crawl.refusals.isExhausted) {
      if (await this.#isRefusedEverywhere()) return 'refused';
      this.#crawl.refusals.provedPartial();
    }
    const isMore = this.#pool.waiting > 0 || !this.#scheduler.isExhausted;
    if (this.#isLimitReached) {
      await this.#scheduler.recount();
      if (this.#isLimitReached) return isMore ? 'limit' : 'done';
    }
    if (isMore) return undefined;
    return this.#crawl.frontier.isFull ? 'limit' : 'done';
  }

  /** After many refusals in a row, asks for a page that was answered before: does the whole site refuse? */
  async #isRefusedEverywhere(): Promise<boolean> {
    const { refusals, isAnswered } = this.#crawl;
    const { isStartClosed, answeredUrl } = refusals;
    if (isStartClosed || answeredUrl === undefined) return true;
    return !(await this.#slice.keepAlive(() => isAnswered(answeredUrl)));
  }

  /** False if pages were requeued, by this or an unanswered write, or if time ran out. */
  async #isFinal(stop: Stop): Promise<boolean> {
    if (stop === 'refused') return this.#refresh();
    const { frontier, committer } = this.#crawl;
    const { dryRun } = this.#slice.job;
    if (!dryRun) await finishDemotions(this.#slice.job, this.#deps);
    const judged = dryRun ? NOTHING_JUDGED : await judgeDuplicates(this.#slice, (hash) => frontier.isNamed(hash));
    if (stop === 'done') {
      await requeueOrphans(this.#slice, frontier, judged);
      if (!(await frontier.isEmpty())) {
        await this.#scheduler.recount();
        return false;
      }
    }
    if (dryRun) return true;
    await reportNearDuplicates(this.#slice);
    const isComplete = stop === 'done' && this.#slice.job.listedBy === undefined;
    const rewrite = (drafts: readonly PageDraft[]) => committer.rewrite(drafts);
    const deps = { ...this.#deps, rewrite };
    if (!(await settleAliases(judged, { isComplete }, this.#slice, deps))) return false;
    return this.#refresh();
  }

  /** Makes the written pages searchable. */
  async #refresh(): Promise<true> {
    await this.#deps.pageIndex.refresh();
    return true;
  }

  get #isLimitReached(): boolean {
    return this.#scheduler.limitReached(this.#pool.first);
  }

  async #renew(inFlight: readonly string[] = this.#pool.inFlight): Promise<void> {
    await this.#slice.renew({ inFlight });
    this.#renewedAt = this.#slice.clock();
  }

  #onCommitted(visits: readonly Visit[]): void {
    this.#hasMoved ||= visits.some(({ movedTo }) => movedTo !== undefined);
    this.#scheduler.committed(visits);
    this.#renewedAt = this.#slice.clock();
  }

  async #wait(expansion: Promise<void>): Promise<void> {
    const { sleep, clock } = this.#slice;
    const arrivals = () => (this.#pool.active > 0 ? [this.#pool.arrival()] : []);
    if (this.#commits.isDue) return;
    const { underWay } = this.#commits;
    if (underWay || this.#pool.active > 0) {
      const ends = underWay ? [underWay, expansion] : [];
      await Promise.race([...ends, ...arrivals(), sleep(LONGEST_WAIT_MS)]);
      return;
    }
    const untilNextTry = (this.#scheduler.nextTryAt ?? 0) - clock();
    const pause = this.#pool.waiting > 0 ? this.#pool.pauseMs : untilNextTry;
    await sleep(Math.min(Math.max(pause, 1), LONGEST_WAIT_MS));
  }
}

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof UnavailableError)) throw error;
}
