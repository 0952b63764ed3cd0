/** Longer than any time limit of a request. Only a worker that sleeps until a time waits for so long. */
const MIN_SLEEP_MS = 40_000;

type Sleeper = { readonly due: number; readonly wake: () => void };

let offsetMs = 0;
const sleepers = new Map<NodeJS.Timeout, Sleeper>();
const RealDate = Date;
const startTimer = globalThis.setTimeout;
const realNow = Date.now.bind(Date);
const realSteadyNow = performance.now.bind(performance);

/** Gives the process of a function the clock of the account, and ends its long sleeps by that clock. */
export function followAccountClock(): void {
  globalThis.Date = class extends RealDate {
    constructor(...args: readonly unknown[]) {
      super(...((args.length === 0 ? [realNow() + offsetMs] : args) as [number]));
    }

    static override now(): number {
      return realNow() + offsetMs;
    }
  } as DateConstructor;
  performance.now = () => realSteadyNow() + offsetMs;
  const replaced = (callback: (...args: unknown[]) => void, ms = 0, ...args: readonly unknown[]): NodeJS.Timeout => {
    const timer = startTimer(() => {
      sleepers.delete(timer);
      callback(...args);
    }, ms);
    if (ms >= MIN_SLEEP_MS) sleepers.set(timer, { due: Date.now() + ms, wake: () => void callback(...args) });
    return timer;
  };
  globalThis.setTimeout = Object.assign(replaced, startTimer) as unknown as typeof setTimeout;
}

export function moveClock(to: number): void {
  offsetMs = to;
  const due = [...sleepers].filter(([, sleeper]) => sleeper.due <= Date.now());
  for (const [timer, { wake }] of due) {
    sleepers.delete(timer);
    clearTimeout(timer);
    wake();
  }
}
