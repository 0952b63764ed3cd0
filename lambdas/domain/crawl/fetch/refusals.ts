import { type CrawlJob, LONGEST_RETRY_AFTER_MS } from '../jobs/job.ts';
import type { Refusal, RefusalState } from '../jobs/refusal.ts';
import type { Slice } from '../jobs/slice.ts';
import type { Visit } from './visit-result.ts';

/** The site may be refusing everything after this many refusals in a row, or if they would last for this long. */
const MOST_IN_ROW = 12;
const LONGEST_REFUSAL_MS = 130_000;
/** Pauses do not help after this many tries in vain, or this many within a minute or more. */
const MOST_IN_VAIN = 20;
const FEW_IN_VAIN = 3;
const LONGEST_VAIN_MS = 60_000;

/**
 * What a job knows about answers 429 and 503: whether the crawler is too fast, or some URLs or all are refused
 * (docs/decisions/011-crawl-order.md).
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

  /** What the job keeps of it. */
  get jobFields(): Pick<CrawlJob, 'refusals' | 'answeredUrl'> {
    return {
      ...(this.#state.refusal && { refusals: this.#state }),
      ...(this.#answeredUrl !== undefined && { answeredUrl: this.#answeredUrl }),
    };
  }

  /** A page of this job that has answered; it tells whether the site refuses everything by now. */
  get answeredUrl(): string | undefined {
    return this.#answeredUrl;
  }

  /** The server refuses some URLs for good: it helps neither to wait nor to be slower. */
  get isPartial(): boolean {
    return this.#state.isPartial === true;
  }

  get isStartClosed(): boolean {
    return this.#state.isStartClosed === true;
  }

  /** The site may refuse everything: nothing more is fetched until that is known. */
  get isExhausted(): boolean {
    return this.isStartClosed || this.#isOverdue || this.#state.inRow >= MOST_IN_ROW;
  }

  note(visit: Visit): void {
    if (visit.refusal) this.#refused(visit.refusal, visit);
    else if (hasAnswer(visit)) this.#answered(visit);
  }

  /** A page that had answered before did so again. */
  provedPartial(): void {
    this.#isOverdue = false;
    this.#state = { ...withoutRow(this.#state), isPartial: true };
  }

  #refused(refusal: Refusal, visit: Visit): void {
    const { clock, workedMs: now } = this.#slice;
    const { inRow, since = now, vain, vainSince, isPartial } = this.#state;
    const isVain = (visit.queued.tries ?? 0) > 0;
    const counted = isVain
      ? { vain: vain + 1, vainSince: vainSince ?? now }
      : { vain, ...(vainSince && { vainSince }) };
    const isHopeless =
      counted.vain >= MOST_IN_VAIN ||
      (counted.vain >= FEW_IN_VAIN && now - (counted.vainSince ?? now) > LONGEST_VAIN_MS);
    const isStartClosed = visit.queued.isStart === true && asksForLong(refusal, clock());
    this.#state = {
      ...{ refusal, inRow: inRow + 1, since, ...counted },
      ...(isStartClosed && { isStartClosed }),
      ...((isPartial || (isHopeless && this.#answeredUrl !== undefined)) && { isPartial: true }),
    };
    this.#isOverdue ||= 'next' in visit && visit.next.notBefore - clock() + now - since > LONGEST_REFUSAL_MS;
  }

  #answered({ queued, answered }: Visit): void {
    if (answered) this.#answeredUrl = queued.url;
    this.#isOverdue = false;
    const { vainSince, ...state } = withoutRow(this.#state);
    const isLater = (queued.tries ?? 0) > 0;
    this.#state = isLater ? { ...state, vain: 0 } : { ...state, ...(vainSince !== undefined && { vainSince }) };
  }
}

/** Whether the server asks for a longer pause than a crawl makes. */
const asksForLong = ({ retryAt = 0 }: Refusal, now: number): boolean => retryAt - now > LONGEST_RETRY_AFTER_MS;

const withoutRow = ({ since, ...state }: RefusalState): RefusalState => ({ ...state, inRow: 0 });

/** Any answer but a refusal. Without one, as after a timeout, nothing is known. */
const hasAnswer = (visit: Visit): boolean =>
  visit.answered || ('ending' in visit && visit.fetched && visit.ending.status !== undefined);
