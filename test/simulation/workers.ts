import { failDeadSlice, reviveJobs } from '../../lambdas/core/crawl/job/recovery.ts';
import { type CrawlDeps, runSlice } from '../../lambdas/core/crawl/run-slice.ts';
import { UnavailableError } from '../../lambdas/core/errors.ts';
import { cleanUpSite, resendCleanUps } from '../../lambdas/core/removal/clean-up.ts';
import { type QueueName, queues } from '../../lambdas/messages.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { World } from './world.ts';

const WATCHDOG_MS = 60_000;
/** After a queue did not answer. */
const PAUSE_MS = 1000;

type Role = {
  readonly queue: QueueName;
  readonly handle: (body: string, deps: CrawlDeps) => Promise<void>;
};

const ROLES: Readonly<Record<string, Role>> = {
  'crawl 1': { queue: 'crawl', handle: (body, deps) => runSlice(queues.crawl.message.parse(JSON.parse(body)), deps) },
  'crawl 2': { queue: 'crawl', handle: (body, deps) => runSlice(queues.crawl.message.parse(JSON.parse(body)), deps) },
  'crawl-dead': {
    queue: 'crawl-dead',
    handle: (body, deps) => failDeadSlice(queues['crawl-dead'].message.parse(JSON.parse(body)), deps),
  },
  'clean-up': {
    queue: 'clean-up',
    handle: (body, deps) => cleanUpSite(queues['clean-up'].message.parse(JSON.parse(body)).siteId, deps),
  },
};

/** The processes that answer messages. One that dies or is halted is followed by another; a watchdog makes its rounds. */
export class Workers {
  readonly #world: World;
  readonly #longestInvocationMs: number;
  readonly #processes = new Map<string, SimulatedProcess>();
  readonly #busy = new Set<SimulatedProcess>();

  /** An invocation that takes longer dies; on a laptop none does. */
  constructor(world: World, longestInvocationMs: number) {
    this.#world = world;
    this.#longestInvocationMs = longestInvocationMs;
    for (const name of Object.keys(ROLES)) this.#start(name);
    void this.#watch(world.process('watchdog'));
  }

  /** Whether no message is being worked on, not even by one that was believed dead. */
  get areIdle(): boolean {
    return [...this.#busy].every((process) => !process.isAlive);
  }

  /** Asks one of the crawl's workers to hand over and end. */
  halt(): void {
    this.#processes.get(this.#world.random.pick(['crawl 1', 'crawl 2']))?.halt.abort();
  }

  /** All die at once; what they had in hand is free at the start that follows. */
  async cutPower(): Promise<void> {
    const world = this.#world;
    for (const process of this.#processes.values()) process.die();
    const starter = world.process('starter');
    await starter.sleep(400);
    world.queue.reviveInFlight();
    await attempt(() => reviveJobs({ ...world.depsOf(starter), trustLeases: false }), world);
  }

  #start(name: string): void {
    const { scheduler, random } = this.#world;
    const restart = () => scheduler.in(random.int(500, 20_000), () => this.#start(name));
    const process = this.#world.process(name, restart);
    this.#processes.set(name, process);
    void this.#consume(process);
  }

  async #consume(process: SimulatedProcess): Promise<void> {
    const role = ROLES[process.name];
    if (!role) return;
    const deps = this.#world.depsOf(process);
    while (!process.halt.signal.aborted)
      if (!(await attempt(() => this.#takeOne(process, role, deps), this.#world))) await process.sleep(PAUSE_MS);
    this.#start(process.name);
  }

  async #takeOne(process: SimulatedProcess, { queue: name, handle }: Role, deps: CrawlDeps): Promise<void> {
    for (const { body, receipt, receiveCount } of await deps.queue.receive(name, { max: 1, waitSeconds: 20 })) {
      this.#world.trace(`${process.name} takes ${body} (${receiveCount})`);
      this.#busy.add(process);
      const invocation = this.#limitInvocation(process);
      const isDone = await attempt(() => handle(body, deps), this.#world);
      invocation.isOver = true;
      this.#busy.delete(process);
      this.#world.trace(`${process.name} ${isDone ? 'is done with' : 'fails'} ${body}`);
      if (isDone) await deps.queue.acknowledge(name, receipt);
      else this.#world.faults.failures++;
    }
  }

  #limitInvocation(process: SimulatedProcess): { isOver: boolean } {
    const invocation = { isOver: false };
    if (Number.isFinite(this.#longestInvocationMs))
      this.#world.scheduler.in(this.#longestInvocationMs, () => {
        if (!invocation.isOver) process.die();
      });
    return invocation;
  }

  async #watch(process: SimulatedProcess): Promise<void> {
    const deps = this.#world.depsOf(process);
    for (;;) {
      await process.sleep(WATCHDOG_MS);
      await attempt(() => reviveJobs({ ...deps, trustLeases: true }), this.#world);
      await attempt(() => resendCleanUps(deps), this.#world);
    }
  }
}

/** Answers whether it went well. A service that is away may make it fail; nothing else may. */
async function attempt(act: () => Promise<void>, world: World): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (!(error instanceof UnavailableError)) world.report(`a worker throws ${String(error)}`);
    return false;
  }
}
