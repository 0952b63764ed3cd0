import { failDeadSlice, reviveJobs } from '../../lambdas/domain/crawl/jobs/recover-jobs.ts';
import { runSlice } from '../../lambdas/domain/crawl/run-slice.ts';
import { startScheduled } from '../../lambdas/domain/crawl/schedules/start-scheduled.ts';
import { UnavailableError } from '../../lambdas/domain/errors.ts';
import { finishWrites } from '../../lambdas/domain/pages/finish-writes.ts';
import { abandonedBefore } from '../../lambdas/domain/pages/pending-writes.ts';
import { cleanUpSite, resendCleanUps } from '../../lambdas/domain/pages/removal/clean-up.ts';
import { attemptDelivery, resendDeliveries } from '../../lambdas/domain/webhooks/deliver.ts';
import { fanOutEvents } from '../../lambdas/domain/webhooks/fan-out.ts';
import { type QueueName, queues } from '../../lambdas/messages.ts';
import { tableTimetable } from '../../local/sqlite/timetable.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { SimulatedDeps, Simulation } from './simulation.ts';

/** Visitors are not simulated. */
export const NO_EVENTS = { removeSite: async () => true };
const WATCHDOG_MS = 60_000;
const TIMETABLE_MS = 10_000;
/** The pause after a queue did not answer. */
const PAUSE_MS = 1000;

type Role = {
  readonly queue: QueueName;
  readonly handle: (body: string, deps: SimulatedDeps) => Promise<void>;
};

const ROLES: Readonly<Record<string, Role>> = {
  'crawl 1': { queue: 'crawl', handle: (body, deps) => runSlice(queues.crawl.message.parse(JSON.parse(body)), deps) },
  'crawl 2': { queue: 'crawl', handle: (body, deps) => runSlice(queues.crawl.message.parse(JSON.parse(body)), deps) },
  'crawl-dead': {
    queue: 'crawl-dead',
    handle: (body, deps) => failDeadSlice(queues['crawl-dead'].message.parse(JSON.parse(body)), deps),
  },
  starts: {
    queue: 'starts',
    handle: (body, deps) =>
      startScheduled(queues.starts.message.parse(JSON.parse(body)), { ...deps, timetable: tableTimetable(deps) }),
  },
  webhooks: {
    queue: 'webhooks',
    handle: async (body, deps) => {
      const work = queues.webhooks.message.parse(JSON.parse(body));
      await ('deliveryId' in work ? attemptDelivery(work, deps) : fanOutEvents(work.siteId, deps));
    },
  },
  'clean-up': {
    queue: 'clean-up',
    handle: (body, deps) =>
      cleanUpSite(queues['clean-up'].message.parse(JSON.parse(body)), {
        ...deps,
        eventLog: NO_EVENTS,
        timetable: tableTimetable(deps),
      }),
  },
};

/** The processes that consume messages, and a watchdog. One that dies or is halted is replaced. */
export class Workers {
  readonly #simulation: Simulation;
  readonly #longestInvocationMs: number;
  readonly #processes = new Map<string, SimulatedProcess>();
  readonly #busy = new Set<SimulatedProcess>();

  /** A longer invocation dies, as in AWS; on a laptop there is no limit. */
  constructor(simulation: Simulation, longestInvocationMs: number) {
    this.#simulation = simulation;
    this.#longestInvocationMs = longestInvocationMs;
    for (const name of Object.keys(ROLES)) this.#start(name);
    void this.#watch(simulation.process('watchdog'));
  }

  /** Tells whether no message is being worked on, not even by a worker whose lease has expired. */
  get areIdle(): boolean {
    return [...this.#busy].every((process) => !process.isAlive);
  }

  /** Asks one of the crawl's workers to hand over and end. */
  halt(): void {
    this.#processes.get(this.#simulation.random.pick(['crawl 1', 'crawl 2']))?.halt.abort();
  }

  /** All workers die at once; the start that follows frees their messages. */
  async cutPower(): Promise<void> {
    const simulation = this.#simulation;
    for (const process of this.#processes.values()) process.die();
    const starter = simulation.process('starter');
    await starter.sleep(400);
    if (simulation.faults.clockTurns > 0) simulation.turnClock();
    simulation.queue.reviveInFlight();
    await attempt(() => reviveJobs({ ...simulation.depsOf(starter), trustLeases: false }), simulation);
  }

  #start(name: string): void {
    const { scheduler, random } = this.#simulation;
    const restart = () => scheduler.in(random.int(500, 20_000), () => this.#start(name));
    const process = this.#simulation.process(name, restart);
    this.#processes.set(name, process);
    void this.#consume(process);
  }

  async #consume(process: SimulatedProcess): Promise<void> {
    const role = ROLES[process.name];
    if (!role) return;
    const deps = this.#simulation.depsOf(process);
    while (!process.halt.signal.aborted)
      if (!(await attempt(() => this.#takeOne(process, role, deps), this.#simulation))) await process.sleep(PAUSE_MS);
    this.#start(process.name);
  }

  async #takeOne(process: SimulatedProcess, { queue: name, handle }: Role, deps: SimulatedDeps): Promise<void> {
    for (const { body, receipt, receiveCount } of await deps.queue.receive(name, { max: 1, waitSeconds: 20 })) {
      this.#simulation.trace(`${process.name} takes ${body} (${receiveCount})`);
      this.#busy.add(process);
      const invocation = this.#limitInvocation(process);
      const isDone = await attempt(() => handle(body, deps), this.#simulation);
      invocation.isOver = true;
      this.#busy.delete(process);
      this.#simulation.trace(`${process.name} ${isDone ? 'is done with' : 'fails'} ${body}`);
      if (isDone) await deps.queue.acknowledge(name, receipt);
      else this.#simulation.faults.failures++;
    }
  }

  #limitInvocation(process: SimulatedProcess): { isOver: boolean } {
    const invocation = { isOver: false };
    if (Number.isFinite(this.#longestInvocationMs))
      this.#simulation.scheduler.in(this.#longestInvocationMs, () => {
        if (!invocation.isOver) process.die();
      });
    return invocation;
  }

  /** Sends the starts that are due, until it is halted. */
  startTimetable(): SimulatedProcess {
    const process = this.#simulation.process('timetable');
    const timetable = tableTimetable(this.#simulation.depsOf(process));
    const run = async () => {
      while (!process.halt.signal.aborted) {
        await process.sleep(TIMETABLE_MS);
        await attempt(() => timetable.sendDue(), this.#simulation);
      }
    };
    void run();
    return process;
  }

  async #watch(process: SimulatedProcess): Promise<void> {
    const deps = this.#simulation.depsOf(process);
    for (;;) {
      await process.sleep(WATCHDOG_MS);
      await attempt(() => reviveJobs({ ...deps, trustLeases: true }), this.#simulation);
      await attempt(() => resendCleanUps(deps), this.#simulation);
      await attempt(() => resendDeliveries(deps), this.#simulation);
      const report = (message: string) => this.#simulation.trace(message);
      await attempt(() => finishWrites(abandonedBefore(deps.clock), { ...deps, report }), this.#simulation);
    }
  }
}

/** Returns whether it succeeded. Only an unavailable service may make it fail. */
async function attempt(act: () => Promise<void>, simulation: Simulation): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (!(error instanceof UnavailableError)) simulation.report(`a worker throws ${String(error)}`);
    return false;
  }
}
