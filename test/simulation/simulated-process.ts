import { UnavailableError } from '../../lambdas/domain/errors.ts';
import type { Fate, Faults, Service } from './faults.ts';
import type { Scheduler } from './scheduler.ts';
import type { SeededRandom } from './seeded-random.ts';

export type ProcessDeps = {
  readonly scheduler: Scheduler;
  readonly random: SeededRandom;
  readonly faults: Faults;
  readonly trace: (line: string) => void;
};

/** Ports promise an answer or an error within this time. */
const MAX_CALL_MS = 5000;
/**
 * The longest delay after which a failed call may still be carried out. No port promises a bound; the crawl retries
 * after 2 s.
 */
const LATEST_MS = 1500;

/** May die or freeze at any call. A frozen process gets its answers later and does not notice the time. */
export class SimulatedProcess {
  readonly name: string;
  readonly halt = new AbortController();
  readonly #deps: ProcessDeps;
  readonly #onDeath: (() => void) | undefined;
  #alive = true;
  #frozenUntil = 0;

  /** Without `onDeath` the process neither dies nor freezes by chance. */
  constructor(name: string, deps: ProcessDeps, onDeath?: () => void) {
    this.name = name;
    this.#deps = deps;
    this.#onDeath = onDeath;
  }

  get isAlive(): boolean {
    return this.#alive;
  }

  die(cause: 'chance' | 'page' = 'chance'): void {
    if (!this.#alive) return;
    this.#deps.trace(`${this.name} dies`);
    if (cause === 'page') this.#deps.faults.kills++;
    else this.#deps.faults.seemingDeaths++;
    this.#alive = false;
    this.#onDeath?.();
  }

  /** Runs a callback in this process: never if it is dead, and later if it is frozen. */
  deliver(delayMs: number, run: () => void): void {
    const { scheduler } = this.#deps;
    scheduler.in(delayMs, () => {
      if (!this.#alive) return;
      if (scheduler.now < this.#frozenUntil) this.deliver(this.#frozenUntil - scheduler.now, run);
      else run();
    });
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.deliver(ms, resolve));
  }

  /** Calls a service. `carryOut` gets the share of a non-atomic call that is done before it fails, else 1. */
  call<T>(service: Service, what: string, carryOut: (share: number) => T): Promise<T> {
    if (!this.#alive) return new Promise(() => {});
    const fate = this.#deps.faults.fate(service, this.#onDeath !== undefined);
    if (fate !== 'answered') this.#deps.trace(`${this.name} ${service}.${what}: ${fate}`);
    if (fate === 'dies-before') this.die();
    if (fate === 'freezes-before') this.#freeze();
    return new Promise((resolve, reject) => {
      if (fate === 'dies-before') return;
      if (fate === 'lost' || fate === 'late' || fate === 'unanswered')
        return this.#fail(fate, service, carryOut, reject);
      this.#succeed(fate, carryOut, resolve, reject);
    });
  }

  #succeed<T>(
    fate: Fate,
    carryOut: (share: number) => T,
    resolve: (answer: T) => void,
    reject: (error: unknown) => void,
  ): void {
    const { scheduler, random } = this.#deps;
    const [there, back] = [random.int(1, 15), random.int(1, 15)];
    scheduler.in(fate === 'slow' ? random.int(300, MAX_CALL_MS - back) : there, () => {
      try {
        const answer = carryOut(1);
        this.deliver(back, () => resolve(answer));
      } catch (error) {
        this.deliver(back, () => reject(error));
      }
      if (fate === 'dies-after') this.die();
      if (fate === 'freezes-after') this.#freeze();
    });
  }

  #fail(
    fate: 'lost' | 'late' | 'unanswered',
    service: Service,
    carryOut: (share: number) => unknown,
    reject: (error: unknown) => void,
  ): void {
    const { scheduler, random } = this.#deps;
    const failsAfter = random.pick([20, random.int(20, MAX_CALL_MS)]);
    const doneAfter = fate === 'late' ? failsAfter + random.int(1, LATEST_MS) : random.int(1, failsAfter);
    const share = random.next();
    if (fate !== 'lost') scheduler.in(doneAfter, () => carryOut(share));
    this.deliver(failsAfter, () => reject(new UnavailableError(`${service} does not answer`)));
  }

  #freeze(): void {
    const { scheduler, faults, trace } = this.#deps;
    const length = faults.freeze();
    trace(`${this.name} freezes for ${length} ms`);
    this.#frozenUntil = scheduler.now + length;
  }
}
