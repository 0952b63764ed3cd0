import { EventEmitter, once } from 'node:events';

/**
 * The time of the account, which tests move forward. Functions, schedules and delayed messages follow it; visibility
 * time-outs and time-outs of functions take their real time.
 */
export class AccountClock {
  #offsetMs = 0;
  readonly #moves = new EventEmitter().setMaxListeners(0);

  get offsetMs(): number {
    return this.#offsetMs;
  }

  now(): number {
    return Date.now() + this.#offsetMs;
  }

  advance(seconds: number): void {
    this.#offsetMs += seconds * 1000;
    this.#moves.emit('moved');
  }

  onMove(listener: () => void): void {
    this.#moves.on('moved', listener);
  }

  async until(time: number, stopped: AbortSignal): Promise<void> {
    while (this.now() < time && !stopped.aborted) {
      const signal = AbortSignal.any([stopped, AbortSignal.timeout(time - this.now())]);
      await once(this.#moves, 'moved', { signal }).catch(() => undefined);
    }
  }
}
