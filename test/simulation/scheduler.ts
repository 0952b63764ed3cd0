type Event = { readonly time: number; readonly order: number; readonly run: () => void };

const START = Date.UTC(2026, 0, 1);

/** Simulated time: constant while code runs, then it jumps to the next event. Ties run in order of creation. */
export class Scheduler {
  #now = START;
  #made = 0;
  /** A binary heap with the earliest event first. */
  readonly #events: Event[] = [];

  get now(): number {
    return this.#now;
  }

  /** Milliseconds since the run began. */
  get elapsed(): number {
    return this.#now - START;
  }

  in(delayMs: number, run: () => void): void {
    const events = this.#events;
    const event = { time: this.#now + delayMs, order: this.#made++, run };
    let index = events.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = events[parent];
      if (!above || isBefore(above, event)) break;
      events[index] = above;
      index = parent;
    }
    events[index] = event;
  }

  /** Runs events until `isOver`; false if that takes more than `mostEvents`. */
  async run(isOver: () => boolean, mostEvents: number): Promise<boolean> {
    for (let ran = 0; ran < mostEvents; ran++) {
      if (isOver()) return true;
      const event = this.#next();
      if (!event) return isOver();
      this.#now = event.time;
      event.run();
      await new Promise(setImmediate); // lets all promises that the event has settled continue
    }
    return false;
  }

  #next(): Event | undefined {
    const events = this.#events;
    const first = events[0];
    const last = events.pop();
    if (!last || events.length === 0) return first;
    let index = 0;
    for (let child = 1; child < events.length; child = 2 * index + 1) {
      const [left, right] = [events[child], events[child + 1]];
      const lesser = left && right && isBefore(right, left) ? child + 1 : child;
      const below = events[lesser];
      if (!below || isBefore(last, below)) break;
      events[index] = below;
      index = lesser;
    }
    events[index] = last;
    return first;
  }
}

const isBefore = (a: Event, b: Event): boolean => a.time < b.time || (a.time === b.time && a.order < b.order);
