import type { Clock } from '../../lambdas/domain/clock.ts';
import type { CrawlDeps } from '../../lambdas/domain/crawl/run-slice.ts';
import type { Queue } from '../../lambdas/domain/ports/queue.ts';
import type { Table } from '../../lambdas/domain/ports/table.ts';
import type { WebhookSender } from '../../lambdas/domain/ports/webhook-sender.ts';
import { PageStoreState } from '../support/memory/page-store.ts';
import { QueueState } from '../support/memory/queue.ts';
import { TableState } from '../support/memory/table.ts';
import { type SentMessage, simulatedReceiver } from './event-invariants.ts';
import { Faults } from './faults.ts';
import { PageIndexState } from './page-index-state.ts';
import { RemovalGuard } from './removal-guard.ts';
import { Scheduler } from './scheduler.ts';
import type { SeededRandom } from './seeded-random.ts';
import { simulatedEmbedder, simulatedPageIndex, simulatedPageReader, simulatedPageStore } from './simulated-pages.ts';
import { SimulatedProcess } from './simulated-process.ts';
import { simulatedQueue } from './simulated-queue.ts';
import { SimulatedSite } from './simulated-site.ts';
import { simulatedTable, type TableGuard } from './simulated-table.ts';
import type { SitePlan } from './site-plan.ts';
import { WriteGuard } from './write-guard.ts';

export type SimulatedDeps = CrawlDeps & { readonly newId: () => string; readonly sender: WebhookSender };

/** Everything that one seed simulates, and the violations found. */
export class Simulation {
  readonly random: SeededRandom;
  readonly scheduler = new Scheduler();
  readonly faults: Faults;
  readonly table = new TableState(() => this.scheduler.now / 1000);
  readonly queue: QueueState;
  readonly pageStore = new PageStoreState();
  readonly pageIndex: PageIndexState;
  readonly site: SimulatedSite;
  readonly guard: WriteGuard;
  readonly removals: RemovalGuard;
  readonly clock: Clock = Object.assign(() => this.scheduler.now + this.#clockOffset, {
    steady: () => this.scheduler.now,
  });
  readonly violations: string[] = [];
  /** The messages that the receiver of webhooks has accepted. */
  readonly received: SentMessage[] = [];
  readonly #trace: ((line: string) => void) | undefined;
  /** The number of changes of the system time. */
  clockTurns = 0;
  #ids = 0;
  #clockOffset = 0;

  constructor(random: SeededRandom, plan: SitePlan, trace: ((line: string) => void) | undefined) {
    this.random = random;
    this.#trace = trace;
    this.faults = new Faults(random, this.scheduler);
    this.queue = new QueueState(this.scheduler, this.faults);
    this.pageIndex = new PageIndexState(this.scheduler);
    this.guard = new WriteGuard({
      ...this,
      state: this.table,
      index: this.pageIndex,
      report: (violation) => this.report(violation),
    });
    this.site = new SimulatedSite(plan, this.guard.fetch, () => this.scheduler.now);
    this.removals = new RemovalGuard({
      state: this.table,
      site: this.site,
      now: () => this.scheduler.now,
      beganAt: (jobId) => this.guard.beganAt(jobId),
      report: (violation) => this.report(violation),
    });
  }

  /** A process with `onDeath` may die or freeze by chance. */
  process(name: string, onDeath?: () => void): SimulatedProcess {
    return new SimulatedProcess(name, { ...this, trace: (line) => this.trace(line) }, onDeath);
  }

  tableOf(process: SimulatedProcess): Table {
    const guard: TableGuard = (writer, changes) => {
      this.guard.table(writer, changes);
      this.removals.watch(changes, this.guard.jobOf(writer));
    };
    return simulatedTable(process, { state: this.table, random: this.random, guard });
  }

  queueOf(process: SimulatedProcess): Queue {
    return simulatedQueue(process, this.queue, this.faults);
  }

  depsOf(process: SimulatedProcess): SimulatedDeps {
    return {
      newId: this.newId,
      table: this.tableOf(process),
      queue: this.queueOf(process),
      pageStore: simulatedPageStore(process, this.pageStore, this.guard),
      pageIndex: simulatedPageIndex(process, this.pageIndex, this.guard),
      embedder: simulatedEmbedder(process),
      clock: this.clock,
      sleep: (ms) => process.sleep(ms),
      halt: process.halt.signal,
      pageReader: simulatedPageReader(process, this.random, (body) => this.site.isLethal(body)),
      openFetcher: () => this.site.fetcherOf(process),
      sender: simulatedReceiver(process, this),
    };
  }

  /** Sets the system's time, for all processes: they are on one machine. */
  turnClock(): void {
    const change = this.faults.clockChange();
    this.trace(`the clock is turned by ${change} ms`);
    this.#clockOffset += change;
    this.clockTurns++;
  }

  readonly newId = (): string => `id-${++this.#ids}`;

  report(violation: string): void {
    this.trace(`VIOLATION ${violation}`);
    this.violations.push(violation);
  }

  trace(line: string): void {
    this.#trace?.(`${String(this.scheduler.elapsed).padStart(9)} ${line}`);
  }
}
