import { type Fate, Faults, type Service } from '../faults.ts';
import type { Scheduler } from '../scheduler.ts';
import type { SeededRandom } from '../seeded-random.ts';

/** An index remembers removals for longer than a process freezes. */
const MAX_FREEZE_MS = 5000;

/** The faults of a short run: more often than in a crawl, and at any call, until `end`. */
export class WriteFaults extends Faults {
  readonly #random: SeededRandom;
  readonly #rates: {
    readonly unavailable: number;
    readonly death: number;
    readonly freeze: number;
    readonly slow: number;
  };
  #isActive = false;

  constructor(random: SeededRandom, scheduler: Scheduler) {
    super(random, scheduler);
    this.#random = random;
    this.#rates = {
      unavailable: random.pick([0, 0, 0.02, 0.1]),
      death: random.pick([0, 0, 0.02, 0.06]),
      freeze: random.pick([0, 0, 0.02]),
      slow: random.pick([0, 0.05]),
    };
  }

  /** Whether every call of this run is answered, some of them slowly. */
  get areNone(): boolean {
    const { unavailable, death, freeze } = this.#rates;
    return unavailable + death + freeze === 0;
  }

  override begin(): void {
    this.#isActive = true;
  }

  end(): void {
    this.#isActive = false;
  }

  override fate(_service: Service, mayDie: boolean): Fate {
    if (!this.#isActive) return 'answered';
    const { unavailable, death, freeze, slow } = this.#rates;
    if (mayDie && this.#random.chance(death)) return this.#random.pick(['dies-before', 'dies-after']);
    if (mayDie && this.#random.chance(freeze)) return this.#random.pick(['freezes-before', 'freezes-after']);
    if (this.#random.chance(unavailable)) return this.#random.pick(['lost', 'unanswered', 'late']);
    return this.#random.chance(slow) ? 'slow' : 'answered';
  }

  override freeze(): number {
    return this.#random.int(100, MAX_FREEZE_MS);
  }
}
