import { pageStore } from '#adapters/page-store';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { UnavailableError } from '../../lambdas/core/errors.ts';
import type { Embedder } from '../../lambdas/core/ports/embedder.ts';
import type { Table } from '../../lambdas/core/ports/table.ts';
import { movingIndex, type OpenSpace } from '../../lambdas/core/reindexing/dual-write-index.ts';
import { adoptSpace } from '../../lambdas/core/reindexing/ensure-index.ts';
import { readSpaces, type SpaceKind, type SpaceRecord } from '../../lambdas/core/reindexing/index-registry.ts';
import { moveIndex } from '../../lambdas/core/reindexing/migration-step.ts';
import { RememberedIndex } from './remembered-index.ts';

const PAUSE_SECONDS = 150;
const MOST_DELIVERIES = 200;

/** The number is what its vectors are made of. */
export const kindOf = (number: number): SpaceKind => ({ layout: 'v1', space: `space-${number}`, dimensions: 1 });

/** Moves between indices in memory, over the local table, store and queue. Time passes only where somebody waits. */
export class MovingSpaces {
  readonly indices = new Map<string, RememberedIndex>();
  /** Happens once, the next time that texts are embedded in this space. */
  readonly whenEmbedding = new Map<string, () => Promise<unknown>>();
  now = Date.UTC(2026, 0, 1);
  #names = 0;

  readonly clock = (): number => this.now;

  embedderOf({ space, dimensions }: SpaceKind): Embedder {
    const vector = Float32Array.of(Number(space.slice('space-'.length)));
    return {
      ...{ space, dimensions },
      embedTexts: async (texts) => {
        const happens = this.whenEmbedding.get(space);
        this.whenEmbedding.delete(space);
        await happens?.();
        return texts.map(() => ({ vector, block: 'model' as const }));
      },
      embedQuery: async () => Float32Array.from(vector),
    };
  }

  readonly open: OpenSpace = async (space) => {
    const index = this.indices.get(space.index);
    if (!index) throw new UnavailableError(`there is no ${space.index}`);
    return { index, embedder: this.embedderOf(space) };
  };

  /** Index and embedder of a process that is configured so, and reads the record each time. */
  configured(kind: SpaceKind) {
    return movingIndex({
      own: this.embedderOf(kind),
      layout: kind.layout,
      spaces: () => this.record(),
      open: this.open,
    });
  }

  adopt(kind: SpaceKind, over: { readonly table?: Table } = {}): Promise<SpaceRecord> {
    return adoptSpace(kind, {
      ...{ table, queue, clock: this.clock, fillAfterSeconds: 0, pauseSeconds: PAUSE_SECONDS },
      canStay: () => true,
      newName: () => `index-${++this.#names}`,
      make: async ({ index }) => {
        if (this.indices.has(index)) return false;
        this.indices.set(index, new RememberedIndex());
        return true;
      },
      ...over,
    });
  }

  async record(): Promise<SpaceRecord> {
    const record = await readSpaces(table);
    if (!record) throw new UnavailableError('no index has been made yet');
    return record;
  }

  /** The index that is searched. */
  async searched(): Promise<RememberedIndex> {
    const index = this.indices.get((await this.record()).searched.index);
    if (!index) throw new Error('what is searched is not there');
    return index;
  }

  /** Delivers a message, as long as there is one; one that fails comes again. Answers whether there was one. */
  async deliver(over: { readonly table?: Table } = {}): Promise<boolean> {
    const [delivery] = await queue.receive('move-index', { max: 1, waitSeconds: 0 });
    if (!delivery) return false;
    const sleep = async (ms: number) => {
      this.now += ms;
    };
    const halt = new AbortController().signal;
    const drop = async (index: string) => void this.indices.delete(index);
    const report = () => undefined;
    const deps = { table, queue, pageStore, clock: this.clock, sleep, halt, open: this.open, drop, report, ...over };
    try {
      await moveIndex(JSON.parse(delivery.body), deps);
      await queue.acknowledge('move-index', delivery.receipt);
    } catch {
      await queue.release('move-index', delivery.receipt, 0);
    }
    return true;
  }

  async untilMoved(over: { readonly table?: Table } = {}): Promise<void> {
    for (let deliveries = 0; await this.deliver(over); deliveries++)
      if (deliveries > MOST_DELIVERIES) throw new Error('the move does not end');
  }
}
