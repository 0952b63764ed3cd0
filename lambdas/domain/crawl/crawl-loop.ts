import { UnavailableError } from '../errors.ts';
import { type BatchUnderWay, expandBatch, type PreparedBatch, prepareBatch } from './commit/prepare-batch.ts';
import { PAGES_PER_COMMIT, writeBatch } from './commit/write-batch.ts';
import { CONNECTIONS_PER_HOST, FetchPool } from './fetch/fetch-pool.ts';
import { FetchScheduler } from './fetch/fetch-scheduler.ts';
import { isAnswered } from './fetch/visit.ts';
import type { Visit } from './fetch/visit-result.ts';
import { type FinalStop, finishCrawl } from './finish-crawl.ts';
import { LEASE_RENEWAL_MS } from './jobs/slice.ts';
import type { Crawl } from './open-crawl.ts';

/** Number of finished visits that are committed without waiting for more. */
const ENOUGH_VISITS = PAGES_PER_COMMIT / 2;
/** Maximum time that a finished visit waits for others to be committed with it. */
const MAX_WAIT_MS = 1000;
const BACK_OFF_MS = 2000;

/**
 * Fetches URLs and commits their pages until the frontier is empty, a limit is reached or time is up. While one batch
 * of visits is written, the next one is prepared and the pool continues to fetch.
 */
export class CrawlLoop {
  readonly #crawl: Crawl;
  readonly #pool: FetchPool;
  readonly #scheduler: FetchScheduler;
  /**
   * Batches of the first finished visits: the batch being written, if any, and the next. A batch is unchanged after a
   * failure: if some of its pages are half-written, others may be their duplicates.
   */
  readonly #batches: (readonly Visit[])[] = [];
  #preparing: Promise<void> | undefined;
  #writing: BatchUnderWay | undefined;
  /** Number of writes that have ended, whether they succeeded or failed. */
  #writesEnded = 0;
  /** Resolves when a batch has enqueued its links, so that deeper URLs may be fetched. */
  #expansion = Promise.withResolvers<void>();
  /** Thrown by the next step. */
  #failure: unknown;
  #renewedAt: number;
  #hasMoved = false;

  constructor(crawl: Crawl) {
    const { clock, pauseMs } = crawl.slice;
    const { spacingMs } = crawl;
    this.#crawl = crawl;
    this.#renewedAt = clock();
    this.#pool = new FetchPool(crawl, crawl.limits, { spacingMs, notBefore: clock() + Math.max(pauseMs, spacingMs) });
    this.#scheduler = new FetchScheduler(crawl, this.#pool);
  }

  /**
   * Runs the loop. A site that has moved also stops with `time`: the next slice applies the rules of the new origin. At
   * all other stops the written pages are searchable.
   */
  async run(): Promise<FinalStop | 'time'> {
    try {
      return await this.#work();
    } finally {
      this.#pool.pause();
      await this.#settle();
    }
  }

  async #work(): Promise<FinalStop | 'time'> {
    const { clock, deadline, halt, sleep } = this.#crawl.slice;
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
    if (failure && this.#crawl.slice.isOverdue) throw failure;
    this.#pool.pause();
    await this.#flush().catch(ignoreUnavailable); // unwritten visits are still queued
    return 'time';
  }

  async #step(): Promise<FinalStop | undefined> {
    const { slice } = this.#crawl;
    const writesEnded = this.#writesEnded;
    this.#expansion = Promise.withResolvers();
    await this.#refill();
    this.#pool.start();
    const isIdle = this.#pool.active === 0 && this.#pool.done.length === 0;
    if (isIdle && writesEnded === this.#writesEnded) {
      const stop = await this.#stopWhenIdle();
      if (stop && (await slice.keepAlive(() => finishCrawl(stop, this.#crawl)))) return stop;
    }
    await this.#wait();
    this.#throwFailure(); // before the batch is tried again
    if (this.#isBatchDue) this.#begin();
    if (slice.clock() - this.#renewedAt > LEASE_RENEWAL_MS) await this.#renew();
    return undefined;
  }

  /** Takes URLs and records them in the job before they are in flight: after a crash they are the poison URLs. */
  async #refill(): Promise<void> {
    const taken = await this.#scheduler.take(CONNECTIONS_PER_HOST);
    if (!taken) return;
    await this.#renew([...this.#pool.inFlight, ...taken.urls.map(({ urlHash }) => urlHash)]);
    this.#pool.add(taken.urls, taken.stored);
  }

  async #renew(inFlight: readonly string[] = this.#pool.inFlight): Promise<void> {
    const { slice } = this.#crawl;
    await slice.renew({ inFlight });
    this.#renewedAt = slice.clock();
  }

  async #stopWhenIdle(): Promise<FinalStop | undefined> {
    const { refusals, limits, frontier } = this.#crawl;
    if (refusals.isExhausted) {
      if (await this.#isRefusedEverywhere()) return 'refused';
      refusals.provedPartial();
    }
    const isMore = this.#pool.waiting > 0 || !this.#scheduler.isExhausted;
    if (limits.isReached(this.#pool)) {
      await limits.recount();
      if (limits.isReached(this.#pool)) return isMore ? 'limit' : 'done';
    }
    if (isMore) return undefined;
    return frontier.isFull ? 'limit' : 'done';
  }

  /**
   * Returns whether the whole site refuses, after many refusals in a row. It requests a page that was answered before.
   */
  async #isRefusedEverywhere(): Promise<boolean> {
    const { isStartClosed, answeredUrl } = this.#crawl.refusals;
    if (isStartClosed || answeredUrl === undefined) return true;
    return !(await this.#crawl.slice.keepAlive(() => isAnswered(answeredUrl, this.#crawl)));
  }

  /** Waits until the next step has something to do, for at most one second while a batch or a visit is under way. */
  async #wait(): Promise<void> {
    const { sleep, clock } = this.#crawl.slice;
    if (this.#isBatchDue) return;
    const underWay = this.#underWay;
    if (underWay || this.#pool.active > 0) {
      const ends = underWay ? [underWay, this.#expansion.promise] : [];
      const arrivals = this.#pool.active > 0 ? [this.#pool.arrival()] : [];
      await Promise.race([...ends, ...arrivals, sleep(MAX_WAIT_MS)]);
      return;
    }
    const untilNextTry = (this.#scheduler.nextTryAt ?? 0) - clock();
    const pause = this.#pool.waiting > 0 ? this.#pool.pauseMs : untilNextTry;
    await sleep(Math.min(Math.max(pause, 1), MAX_WAIT_MS));
  }

  /** Whether a batch can be prepared: there are enough visits, no visit is active, or one has waited long. */
  get #isBatchDue(): boolean {
    const oldest = this.#pool.doneAt(this.#beingWritten);
    if (this.#preparing || oldest === undefined) return false;
    const waiting = this.#pool.done.length - this.#beingWritten;
    return waiting >= ENOUGH_VISITS || this.#pool.active === 0 || this.#crawl.clock() - oldest >= MAX_WAIT_MS;
  }

  get #beingWritten(): number {
    return this.#writing ? (this.#batches[0]?.length ?? 0) : 0;
  }

  /** Resolves when a batch has been prepared or written, or has failed; undefined if nothing is under way. */
  get #underWay(): Promise<unknown> | undefined {
    const steps = [this.#preparing, this.#writing?.ended].filter((step) => step !== undefined);
    return steps.length > 0 ? Promise.race(steps) : undefined;
  }

  /** Prepares and writes the next batch in the background. */
  #begin(): void {
    this.#preparing = this.#commitNext()
      .catch((error: unknown) => {
        this.#failure = error;
      })
      .finally(() => {
        this.#preparing = undefined;
      });
  }

  /** Prepares a batch while the previous one is written. Resolves when the writing of this one has begun. */
  async #commitNext(): Promise<void> {
    const crawl = this.#crawl;
    const before = this.#writing;
    const visits = this.#nextBatch();
    const expanded = await expandBatch(visits, crawl, before);
    if (!expanded.move) {
      this.#expansion.resolve();
      await crawl.slice.sleep(0); // lets the next fetches start before the pages block this thread
    }
    const prepared = await prepareBatch(expanded, crawl);
    if ((await before?.ended) === 'failed') return; // the failed batch is the next again, followed by this one
    this.#writing = { texts: prepared.texts, ended: this.#write(prepared, visits) };
  }

  #nextBatch(): readonly Visit[] {
    const index = this.#writing ? 1 : 0;
    const from = this.#beingWritten;
    this.#batches[index] ??= this.#pool.done.slice(from, from + PAGES_PER_COMMIT);
    return this.#batches[index];
  }

  async #write(batch: PreparedBatch, visits: readonly Visit[]): Promise<'written' | 'failed'> {
    try {
      await writeBatch(batch, this.#crawl);
      this.#pool.dropDone(visits.length);
      this.#batches.shift();
      this.#crawl.limits.committed(visits);
      this.#hasMoved ||= visits.some(({ movedTo }) => movedTo !== undefined);
      this.#renewedAt = this.#crawl.clock(); // the write has shown that the job is not cancelled
      return 'written';
    } catch (error) {
      this.#failure = error;
      return 'failed';
    } finally {
      this.#writing = undefined;
      this.#writesEnded++;
    }
  }

  #throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
  }

  /** Waits for everything that is under way. */
  async #settle(): Promise<void> {
    while (this.#underWay) await this.#underWay;
  }

  /** Waits for what is under way and commits one more batch, unless a step has failed. */
  async #flush(): Promise<void> {
    await this.#settle();
    this.#throwFailure();
    if (this.#pool.done.length === 0) return;
    this.#begin();
    await this.#settle();
    this.#throwFailure();
  }
}

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof UnavailableError)) throw error;
}
