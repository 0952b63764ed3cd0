import { UnavailableError } from '../../lambdas/domain/errors.ts';
import { dualWriteIndex } from '../../lambdas/domain/pages/reindexing/dual-write-index.ts';
import { type EnsureIndexDeps, ensureSearchedIndex } from '../../lambdas/domain/pages/reindexing/ensure-index.ts';
import {
  type IndexRegistry,
  type IndexSpec,
  type OpenIndex,
  type RegisteredIndex,
  readIndexRegistry,
} from '../../lambdas/domain/pages/reindexing/index-registry.ts';
import { runMigrationStep } from '../../lambdas/domain/pages/reindexing/migration-step.ts';
import { rebuildIndex } from '../../lambdas/domain/pages/reindexing/rebuild-index.ts';
import type { Embedder } from '../../lambdas/domain/ports/embedder.ts';
import type { Table } from '../../lambdas/domain/ports/table.ts';
import { MemoryPageIndex } from './memory/page-index.ts';
import { memoryStores } from './memory/stores.ts';

const PAUSE_SECONDS = 150;
const MAX_DELIVERIES = 200;

/** A kind of index whose vectors consist of the number. */
export const kindOf = (number: number): IndexSpec => ({ layout: 'v1', space: `space-${number}`, dimensions: 1 });

/** The index by path of a site's pages: the text of the first chunk and the first number of its vector. */
export const textsIn = (index: MemoryPageIndex, siteId: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    index
      .of(siteId)
      .map(({ url, chunks: [first] }) => [
        new URL(url).pathname,
        `${first?.text} (${first?.embedded?.vector[0] ?? 'none'})`,
      ]),
  );

/** Creates migrations between indices in memory, on separate stores. Time passes only in waits. */
export class IndexMigration {
  readonly stores = memoryStores();
  readonly indices = new Map<string, MemoryPageIndex>();
  /** Runs once, the next time that texts are embedded in this space. */
  readonly whenEmbedding = new Map<string, () => Promise<unknown>>();
  now = Date.UTC(2026, 0, 1);
  #names = 0;

  readonly clock = (): number => this.now;

  embedderOf({ space, dimensions }: IndexSpec): Embedder {
    const vector = Float32Array.of(Number(space.slice('space-'.length)));
    return {
      space,
      dimensions,
      embedTexts: async (texts) => {
        const happens = this.whenEmbedding.get(space);
        this.whenEmbedding.delete(space);
        await happens?.();
        return texts.map(() => ({ vector, block: 'model' as const }));
      },
      embedQuery: async () => Float32Array.from(vector),
    };
  }

  readonly open: OpenIndex = async (index) => ({ index: this.#opened(index), embedder: this.embedderOf(index) });

  #opened({ index: name }: RegisteredIndex): MemoryPageIndex {
    const index = this.indices.get(name);
    if (!index) throw new UnavailableError(`there is no ${name}`);
    return index;
  }

  /** Index and embedder of a process with this configuration, which reads the registry each time. */
  configured(kind: IndexSpec) {
    const embedder = this.embedderOf(kind);
    const embedderOf = async (other: IndexSpec) => (other.space === kind.space ? embedder : this.embedderOf(other));
    const pageIndex = dualWriteIndex({
      layout: kind.layout,
      registry: () => this.registry(),
      open: (index) => this.#opened(index),
      embedders: async () => ({ embedder, embedderOf }),
    });
    return { pageIndex, embedder };
  }

  ensure(kind: IndexSpec, over: { readonly table?: Table } = {}): Promise<IndexRegistry> {
    return ensureSearchedIndex(kind, { ...this.#deps, ...over });
  }

  /** `isUsable`: the old index can be searched until the new one is filled. */
  rebuild({ isUsable }: { readonly isUsable: boolean }): Promise<IndexRegistry> {
    return rebuildIndex({ ...this.#deps, canStay: () => isUsable });
  }

  get #deps(): EnsureIndexDeps {
    return {
      ...this.stores,
      clock: this.clock,
      fillAfterSeconds: 0,
      pauseSeconds: PAUSE_SECONDS,
      canStay: () => true,
      newName: () => `index-${++this.#names}`,
      make: async ({ index }) => {
        if (this.indices.has(index)) return false;
        this.indices.set(index, new MemoryPageIndex());
        return true;
      },
    };
  }

  async registry(): Promise<IndexRegistry> {
    const registry = await readIndexRegistry(this.stores.table);
    if (!registry) throw new UnavailableError('no index has been made yet');
    return registry;
  }

  async searched(): Promise<MemoryPageIndex> {
    const index = this.indices.get((await this.registry()).searched.index);
    if (!index) throw new Error('the searched index does not exist');
    return index;
  }

  /** Delivers a message; one that fails is delivered again. Answers whether there was one. */
  async deliver(over: { readonly table?: Table } = {}): Promise<boolean> {
    const [delivery] = await this.stores.queue.receive('move-index', { max: 1, waitSeconds: 0 });
    if (!delivery) return false;
    const sleep = async (ms: number) => {
      this.now += ms;
    };
    const halt = new AbortController().signal;
    const drop = async (index: string) => void this.indices.delete(index);
    const report = () => undefined;
    const deps = { ...this.stores, clock: this.clock, sleep, halt, open: this.open, drop, report, ...over };
    try {
      await runMigrationStep(JSON.parse(delivery.body), deps);
      await this.stores.queue.acknowledge('move-index', delivery.receipt);
    } catch {
      await this.stores.queue.release('move-index', delivery.receipt, 0);
    }
    return true;
  }

  async finish(over: { readonly table?: Table } = {}): Promise<void> {
    for (let deliveries = 0; await this.deliver(over); deliveries++)
      if (deliveries > MAX_DELIVERIES) throw new Error('the migration does not end');
  }
}
