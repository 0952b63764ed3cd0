import { defined } from '../../../text/defined.ts';
import { type CrawlJob, MAX_RETRY_AFTER_MS } from '../jobs/job.ts';
import type { RefusalState, StartRefusal } from '../jobs/refusal.ts';
import type { Slice } from '../jobs/slice.ts';
import type { Visit } from './visit-result.ts';

/** Limits after which the site may be refusing everything: refusals in a row, or the time for which they would last. */
const MAX_IN_ROW = 12;
const MAX_REFUSAL_MS = 130_000;
/** Pauses do not help after `MAX_FUTILE` failed retries, or after `FEW_IN_VAIN` within a minute or more. */
const MAX_FUTILE = 20;
const FEW_IN_VAIN = 3;
const MAX_FUTILE_MS = 60_000;

/**
 * Tracks the 429 and 503 answers of a job, to tell whether the crawler is too fast, or the server refuses some URLs or
 * all (docs/decisions/011-crawl-order.md).
 */
export class Refusals {
  readonly #slice: Pick<Slice, 'clock' | 'workedMs'>;
  #state: RefusalState;
  #answeredUrl: string | undefined;
  #isOverdue = false;

  constructor(slice: Pick<Slice, 'job' | 'clock' | 'workedMs'>) {
    const { refusals, answeredUrl } = slice.job;
    this.#state = refusals ?? { inRow: 0, vain: 0 };
    this.#answeredUrl = answeredUrl;
    this.#slice = slice;
  }

  /** The fields with which the job stores this state. */
  get jobFields(): Pick<CrawlJob, 'refusals' | 'answeredUrl'> {
    return {
      ...(this.#state.refusal && { refusals: this.#state }),
      ...(this.#answeredUrl !== undefined && { answeredUrl: this.#answeredUrl }),
    };
  }

  /** A page of this job that was answered. Requesting it again tells whether the site refuses everything by now. */
  get answeredUrl(): string | undefined {
    return this.#answeredUrl;
  }

  /** Whether the server refuses some URLs permanently: neither waiting nor a slower pace helps. */
  get isPartial(): boolean {
    return this.#state.isPartial === true;
  }

  get isStartClosed(): boolean {
    return this.#state.isStartClosed === true;
  }

  /** Whether the site may refuse everything. No more pages are fetched until that is known. */
  get isExhausted(): boolean {
    return this.isStartClosed || this.#isOverdue || this.#state.inRow >= MAX_IN_ROW;
  }

  note(visit: Visit): void {
    if (visit.refusal) this.#refused(visit.refusal, visit);
    else if (hasAnswer(visit)) this.#answered(visit);
  }

  /** Records that a page that was answered before is still answered. */
  provedPartial(): void {
    this.#isOverdue = false;
    this.#state = { ...withoutRow(this.#state), isPartial: true };
  }

  #refused(refusal: StartRefusal, visit: Visit): void {
    const { clock, workedMs: now } = this.#slice;
    const { inRow, since = now, vain, vainSince, isPartial } = this.#state;
    const isVain = (visit.queued.tries ?? 0) > 0;
    const counted = isVain
      ? { vain: vain + 1, vainSince: vainSince ?? now }
      : { vain, ...(vainSince && { vainSince }) };
    const isHopeless =
      counted.vain >= MAX_FUTILE || (counted.vain >= FEW_IN_VAIN && now - (counted.vainSince ?? now) > MAX_FUTILE_MS);
    const isStartClosed = visit.queued.isStart === true && asksForLong(refusal, clock());
    this.#state = {
      refusal,
      inRow: inRow + 1,
      since,
      ...counted,
      ...(isStartClosed && { isStartClosed }),
      ...((isPartial || (isHopeless && this.#answeredUrl !== undefined)) && { isPartial: true }),
    };
    this.#isOverdue ||= 'next' in visit && visit.next.notBefore - clock() + now - since > MAX_REFUSAL_MS;
  }

  #answered({ queued, answered }: Visit): void {
    if (answered) this.#answeredUrl = queued.url;
    this.#isOverdue = false;
    const { vainSince, ...state } = withoutRow(this.#state);
    const isLater = (queued.tries ?? 0) > 0;
    this.#state = isLater ? { ...state, vain: 0 } : { ...state, ...defined({ vainSince }) };
  }
}

/** Returns whether the server asks for a longer pause than a crawl makes. */
const asksForLong = ({ retryAt = 0 }: StartRefusal, now: number): boolean => retryAt - now > MAX_RETRY_AFTER_MS;

const withoutRow = ({ since, ...state }: RefusalState): RefusalState => ({ ...state, inRow: 0 });

/** Returns whether the server answered without a refusal. No answer at all, as after a timeout, tells nothing. */
const hasAnswer = (visit: Visit): boolean =>
  visit.answered || ('ending' in visit && visit.fetched && visit.ending.status !== undefined);
