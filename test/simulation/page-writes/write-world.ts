import type { PageDeps } from '../../../lambdas/domain/pages/page-writer.ts';
import { dualWriteIndex } from '../../../lambdas/domain/pages/reindexing/dual-write-index.ts';
import type { OpenedIndex } from '../../../lambdas/domain/pages/reindexing/index-registry.ts';
import type { Embedder } from '../../../lambdas/domain/ports/embedder.ts';
import type { SiteScope } from '../../../lambdas/domain/ports/page-index.ts';
import type { Table } from '../../../lambdas/domain/ports/table.ts';
import { type SiteState, settingsKey, stateKey } from '../../../lambdas/domain/sites/site.ts';
import { PageStoreState } from '../../support/memory/page-store.ts';
import { QueueState } from '../../support/memory/queue.ts';
import { TableState } from '../../support/memory/table.ts';
import { PageIndexState } from '../page-index-state.ts';
import { Scheduler } from '../scheduler.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { simulatedPageIndex, simulatedPageStore } from '../simulated-pages.ts';
import { SimulatedProcess } from '../simulated-process.ts';
import { simulatedQueue } from '../simulated-queue.ts';
import { simulatedTable } from '../simulated-table.ts';
import { ORIGIN } from './draft.ts';
import { WriteFaults } from './write-faults.ts';
import { WriteWatch } from './write-watch.ts';

export const SITE_ID = 'site';
export const ORG_ID = 'organisation';
/** Longer than an index remembers a removal. */
const LONG_MS = 6 * 60_000;

type IndexName = 'old' | 'new';

/** The stores of one site whose pages several processes write and remove, and what was found wrong. */
export class WriteWorld {
  readonly random: SeededRandom;
  readonly scheduler = new Scheduler();
  readonly faults: WriteFaults;
  readonly table = new TableState(() => this.scheduler.now / 1000);
  readonly pageStore = new PageStoreState();
  readonly indices: Readonly<Record<IndexName, PageIndexState>>;
  /** OpenSearch remembers the revisions of removals. SQLite does not, but no call to it comes late. */
  readonly remembersRemovals: boolean;
  readonly watch: WriteWatch;
  /** Whether pages are written to the new index too. */
  isDual = false;
  readonly violations: string[] = [];
  readonly #queue: QueueState;
  readonly #trace: ((line: string) => void) | undefined;
  #versions = 0;

  constructor(random: SeededRandom, trace: ((line: string) => void) | undefined) {
    this.random = random;
    this.#trace = trace;
    this.faults = new WriteFaults(random, this.scheduler);
    this.#queue = new QueueState(this.scheduler, this.faults);
    this.remembersRemovals = !this.faults.areNone || random.chance(0.5);
    const indexState = () => new PageIndexState(this.scheduler, this.remembersRemovals ? undefined : 0);
    this.indices = { old: indexState(), new: indexState() };
    this.watch = new WriteWatch(this);
    const state = { runningJobId: null, pageCount: 0, revision: 0, generation: 1 };
    this.table.write(
      [
        { put: { ...stateKey(SITE_ID), ...state } },
        { put: { ...settingsKey(SITE_ID), orgId: ORG_ID, baseUrl: `${ORIGIN}/` } },
      ],
      () => undefined,
    );
  }

  get state(): SiteState {
    return this.table.get(stateKey(SITE_ID)) as unknown as SiteState;
  }

  get site(): SiteScope {
    return { siteId: SITE_ID, generation: this.state.generation };
  }

  /** A process. With `onDeath` it may die or freeze at any call. */
  process(name: string, onDeath?: () => void): SimulatedProcess {
    return new SimulatedProcess(name, { ...this, trace: (line) => this.trace(line) }, onDeath);
  }

  tableOf(process: SimulatedProcess): Table {
    return simulatedTable(process, { state: this.table, random: this.random, guard: this.watch.table });
  }

  /** Returns the dependencies of a writer in this process. It writes to both indices while `isDual`. */
  depsOf(process: SimulatedProcess) {
    const embedder = this.#embedderOf(process);
    const index = (name: string) => ({ layout: 'v1', space: 'simulated', dimensions: 1, index: name });
    const pageIndex = dualWriteIndex({
      layout: 'v1',
      registry: async () => ({
        searched: index('old'),
        ...(this.isDual && { secondary: index('new') }),
        retired: [],
        version: 1,
        notBefore: 0,
        pauseSeconds: 0,
        changedAt: 0,
      }),
      open: ({ index: name }) => this.openedBy(process, name as IndexName).index,
      embedders: async () => ({ embedder, embedderOf: async () => embedder }),
    });
    const pageStore = simulatedPageStore(process, this.pageStore, this.watch);
    const clock = () => this.scheduler.now;
    const deps: PageDeps = { table: this.tableOf(process), pageStore, pageIndex, clock };
    const report = (message: string) => this.trace(`${process.name}: ${message}`);
    return { ...deps, embedder, queue: simulatedQueue(process, this.#queue, this.faults), report };
  }

  openedBy(process: SimulatedProcess, name: IndexName): OpenedIndex {
    const index = simulatedPageIndex(process, this.indices[name], this.watch);
    return { index, embedder: this.#embedderOf(process) };
  }

  /** Takes so long that others write in between. */
  #embedderOf(process: SimulatedProcess): Embedder {
    const vector = Float32Array.of(1);
    return {
      space: 'simulated',
      dimensions: 1,
      embedTexts: async (texts) => {
        await process.sleep(this.random.chance(0.02) ? LONG_MS : this.random.int(0, 60));
        return texts.map(() => ({ vector, block: 'model' as const }));
      },
      embedQuery: async () => vector,
    };
  }

  /** A number that no other content has. */
  nextVersion(): number {
    return ++this.#versions;
  }

  report(violation: string): void {
    this.trace(`VIOLATION ${violation}`);
    this.violations.push(violation);
  }

  trace(line: string): void {
    this.#trace?.(`${String(this.scheduler.elapsed).padStart(7)} ${line}`);
  }
}
