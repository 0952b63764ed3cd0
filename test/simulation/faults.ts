import type { Scheduler } from './scheduler.ts';
import type { SeededRandom } from './seeded-random.ts';

export type Service = 'table' | 'queue' | 'pageStore' | 'pageIndex' | 'embedder';
const SERVICES: readonly [Service, ...Service[]] = ['table', 'queue', 'pageStore', 'pageIndex', 'embedder'];

/** `lost`: not carried out. `unanswered`: carried out. `late`: carried out after the caller got an error. */
export type Fate =
  | 'answered'
  | 'slow'
  | 'lost'
  | 'unanswered'
  | 'late'
  | 'dies-before'
  | 'dies-after'
  | 'freezes-before'
  | 'freezes-after';

type Outage = { readonly service: Service; readonly from: number; readonly to: number };

/** No more faults after this much simulated time, so that every run ends. */
const CALM_MS = 40 * 60_000;

const DAY_MS = 86_400_000;
const CLOCK_CHANGES_MS = [-20_000, -3_600_000, -DAY_MS, 3_600_000, DAY_MS, 8 * DAY_MS] as const;

/** The faults of one run. Each kind has a separate rate, often 0, so that runs differ in character. */
export class Faults {
  readonly #random: SeededRandom;
  readonly #scheduler: Scheduler;
  readonly #rates: {
    readonly unavailable: number;
    readonly slow: number;
    readonly death: number;
    readonly freeze: number;
  };
  readonly #outages: readonly Outage[];
  readonly #longestFreezeMs: number;
  readonly #duplicates: number;
  readonly #lostAcknowledgements: number;
  readonly halts: number;
  readonly powerCuts: number;
  readonly clockTurns: number;
  #deathsLeft: number;
  /** Worker deaths that a page caused. */
  kills = 0;
  /** All other deaths, and what looks like one from outside: a freeze, a duplicate delivery. */
  seemingDeaths = 0;
  /** Deliveries that failed because a service was down. */
  failures = 0;
  #troubleUntil = Number.NEGATIVE_INFINITY;
  #begun = false;

  constructor(random: SeededRandom, scheduler: Scheduler) {
    this.#random = random;
    this.#scheduler = scheduler;
    this.#rates = {
      unavailable: random.pick([0, 0, 0.005, 0.03]),
      slow: random.pick([0, 0, 0.01]),
      death: random.pick([0, 0, 0.002, 0.01, 0.03]),
      freeze: random.pick([0, 0, 0, 0.003]),
    };
    this.#longestFreezeMs = random.pick([5_000, 200_000, 400_000]);
    this.#duplicates = random.pick([0, 0, 0.05, 0.3]);
    this.#lostAcknowledgements = random.pick([0, 0, 0.1]);
    this.halts = random.pick([0, 0, 1, 3]);
    this.powerCuts = random.pick([0, 0, 0, 1]);
    this.clockTurns = random.pick([0, 0, 1, 4]);
    this.#deathsLeft = random.int(0, 5);
    this.#outages = random.times(random.pick([0, 0, 1, 2]), () => {
      const from = random.int(0, 100_000);
      return { service: random.pick(SERVICES), from, to: from + random.pick([3_000, 20_000, 100_000, 900_000]) };
    });
  }

  /** No fault happens before this call. */
  begin(): void {
    this.#begun = true;
  }

  /** Draws the fate of a call that is made now. */
  fate(service: Service, mayDie: boolean): Fate {
    if (this.#isCalm) return 'answered';
    const { unavailable, slow, death, freeze } = this.#rates;
    if (this.isAway(service)) return this.#trouble(this.#random.chance(0.05) ? 'unanswered' : 'lost');
    const draw = this.#random.next();
    if (mayDie && this.#deathsLeft > 0 && draw < death) {
      this.#deathsLeft--;
      return this.#random.chance(0.5) ? 'dies-before' : 'dies-after';
    }
    if (mayDie && draw > 1 - freeze)
      return this.#trouble(this.#random.chance(0.5) ? 'freezes-before' : 'freezes-after');
    if (this.#random.chance(unavailable)) return this.#trouble(this.#random.pick(['lost', 'unanswered', 'late']));
    return this.#random.chance(slow) ? this.#trouble('slow') : 'answered';
  }

  isAway(service: Service): boolean {
    const { elapsed } = this.#scheduler;
    return this.#outages.some((outage) => outage.service === service && outage.from <= elapsed && elapsed < outage.to);
  }

  /** Draws how long a process freezes. */
  freeze(): number {
    const length = this.#random.int(500, this.#longestFreezeMs);
    this.seemingDeaths++;
    this.#troubleUntil = Math.max(this.#troubleUntil, this.#scheduler.now + length);
    return length;
  }

  /** Draws by how many milliseconds the system's time is set back or forward. */
  clockChange(): number {
    return this.#random.pick(CLOCK_CHANGES_MS);
  }

  /** A message's visibility timeout: sometimes shorter than promised, which delivers it twice. */
  visibilityMs(promised: number): number {
    if (!this.#happens(this.#duplicates)) return promised;
    this.seemingDeaths++;
    return this.#random.int(0, promised / 2);
  }

  losesAcknowledgement(): boolean {
    return this.#happens(this.#lostAcknowledgements);
  }

  /** Tells whether a call failed or a process froze since a moment of simulated time. */
  hadTroubleSince(time: number): boolean {
    return this.#troubleUntil >= time;
  }

  get #isCalm(): boolean {
    return !this.#begun || this.#scheduler.elapsed > CALM_MS;
  }

  #happens(probability: number): boolean {
    return !this.#isCalm && this.#random.chance(probability);
  }

  #trouble(fate: Fate): Fate {
    this.#troubleUntil = Math.max(this.#troubleUntil, this.#scheduler.now);
    return fate;
  }
}
