import { isOutage } from '../../lambdas/domain/errors.ts';
import type { LoggedEvent } from '../../lambdas/domain/ports/logged-event.ts';

/** The interval of writes. A killed process loses the events of this time. */
const FLUSH_MS = 500;
/** The most events of one call. If the log refuses one of them, all are dropped. */
const MAX_BATCH = 100;
const MAX_WAITING = 20_000;

type Append = (events: readonly LoggedEvent[]) => Promise<void>;
type ReportLoss = (count: number) => void;

/**
 * Buffers events on their way to the log, so that adding one takes no time. If the log is unavailable for long, further
 * events are dropped and counted.
 */
export class EventBuffer {
  readonly #waiting: LoggedEvent[] = [];
  #append: Append | undefined;
  #reportLoss: ReportLoss = () => undefined;
  #lost = 0;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  open(append: Append): void {
    this.#append = append;
  }

  /** Sets the function that is called when events can be appended again, with the number of dropped events. */
  onLoss(report: ReportLoss): void {
    this.#reportLoss = report;
  }

  add(event: LoggedEvent): void {
    if (this.#waiting.length >= MAX_WAITING) this.#lost += 1;
    else this.#waiting.push(event);
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Appends the waiting events. Events that cannot be appended now stay in the buffer. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing = this.#flushing.then(() => this.#appendAll());
    await this.#flushing;
  }

  async #appendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, MAX_BATCH);
      try {
        await this.#append?.(batch);
      } catch (error) {
        if (isOutage(error)) {
          this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
          return;
        }
        this.#lost += batch.length;
      }
      this.#waiting.splice(0, batch.length);
    }
    if (this.#lost > 0) this.#reportLoss(this.#lost);
    this.#lost = 0;
  }
}

/** The buffer of this process. */
export const eventBuffer = new EventBuffer();
