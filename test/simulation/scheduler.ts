type Event = { readonly time: number; readonly order: number; readonly run: () => void };

const START = Date.UTC(2026, 0, 1);

/** Simulated time: it stands still while code runs and then jumps to the next event. Events of one moment run in the order of their making. */
export class Scheduler {
  #now = START;
  #made = 0;
  /** A binary heap, the earliest first. */
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
    let place = events.push(event) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = events[parent];
      if (!above || isBefore(above, event)) break;
      events[place] = above;
      place = parent;
    }
    events[place] = event;
  }

  /** Runs events until nothing more is wanted; false if that is not so after so many of them. */
  async run(isOver: () => boolean, mostEvents: number): Promise<boolean> {
    for (let ran = 0; ran < mostEvents; ran++) {
      if (isOver()) return true;
      const event = this.#next();
      if (!event) return isOver();
      this.#now = event.time;
      event.run();
      await new Promise(setImmediate); // every promise that the event has settled is followed to its end
    }
    return false;
  }

  #next(): Event | undefined {
    const events = this.#events;
    const first = events[0];
    const last = events.pop();
    if (!last || events.length === 0) return first;
    let place = 0;
    for (let child = 1; child < events.length; child = 2 * place + 1) {
      const [left, right] = [events[child], events[child + 1]];
      const lesser = left && right && isBefore(right, left) ? child + 1 : child;
      const below = events[lesser];
      if (!below || isBefore(last, below)) break;
      events[place] = below;
      place = lesser;
    }
    events[place] = last;
    return first;
  }
}

const isBefore = (a: Event, b: Event): boolean => a.time < b.time || (a.time === b.time && a.order < b.order);
