import { type Clock, epochSeconds } from '../../clock.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { IndexReader } from '../../ports/index-reader.ts';
import type { PageIndex } from '../../ports/page-index.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Table, TableReader } from '../../ports/table.ts';
import type { PageIdentity } from '../page-registry.ts';

/** A model behind an OpenAI-compatible API, without its key. */
export type Provider = { readonly baseUrl: string; readonly model: string };

/** Describes the entries of an index. Without `provider`, the built-in table makes the vectors. */
export type IndexSpec = {
  readonly layout: string;
  readonly space: string;
  readonly dimensions: number;
  readonly provider?: Provider;
  /** Number of shards, fixed at the creation of an index; absent if the engine has none. */
  readonly shards?: number;
};

/** An index with its name. A name is never reused, so a new index is empty (docs/decisions/024-reindexing.md). */
export type RegisteredIndex = IndexSpec & { readonly index: string };

export type OpenedIndex<Index extends IndexReader = PageIndex> = { readonly index: Index; readonly embedder: Embedder };

export type OpenIndex<Index extends IndexReader = PageIndex> = (index: RegisteredIndex) => Promise<OpenedIndex<Index>>;

/** The last page that was put, after which the backfill continues. */
export type PagePosition = PageIdentity;

/**
 * Names the index that is searched, the indexes that are written, and the next step of a migration to an index of
 * another kind:
 *
 * 1. `backfill`: `searched` is the old index and `secondary` the new one. Changed pages are written to both, or only to
 *    the new one if the old one has another layout. All other pages are put into the new one from registry and page
 *    store. Without a `secondary`, `searched` itself is filled.
 * 2. `drain`: the two indexes are swapped. Both are written for another `pauseSeconds`, because processes with a cached
 *    registry still search the old one.
 * 3. `drop`: only `searched` is written. After another `pauseSeconds` the `retired` indexes are deleted.
 */
export type IndexRegistry = {
  readonly searched: RegisteredIndex;
  /** The index that is also written, but not searched. */
  readonly secondary?: RegisteredIndex | undefined;
  readonly retired: readonly string[];
  readonly step?: 'backfill' | 'drain' | 'drop' | undefined;
  /** Rises with every change. A message with a lower version is outdated. */
  readonly version: number;
  /** The site, or one of its pages, after which the backfill continues. */
  readonly after?: { readonly siteId: string; readonly page?: PagePosition } | undefined;
  /** Epoch seconds before which the step must not be taken. */
  readonly notBefore: number;
  /** Long enough for every process to read the registry again and to finish writes that it began before. */
  readonly pauseSeconds: number;
  /** Epoch seconds of the last change, for the watchdog. */
  readonly changedAt: number;
};

const KEY = { pk: 'SPACE', sk: 'ACTIVE' };

/** Longer than a function of the stack runs: calls that began before a change have ended by then. */
export const STRAGGLERS_SECONDS = 150;

export const isSameKind = (one: IndexSpec, other: IndexSpec): boolean =>
  one.layout === other.layout && one.space === other.space && one.shards === other.shards;

export async function readIndexRegistry(table: TableReader): Promise<IndexRegistry | undefined> {
  const item = await table.get<IndexRegistry>(KEY);
  if (!item) return undefined;
  const { pk, sk, ...registry } = item;
  return registry;
}

/** Writes the registry. Returns undefined if it has changed since it was read. */
export async function changeIndexRegistry(
  before: IndexRegistry | undefined,
  changed: Omit<IndexRegistry, 'version' | 'changedAt'>,
  { table, clock }: { readonly table: Table; readonly clock: Clock },
): Promise<IndexRegistry | undefined> {
  const registry = { ...changed, version: (before?.version ?? 0) + 1, changedAt: epochSeconds(clock) };
  const when = before ? { equals: { version: before.version } } : { exists: false };
  const refused = await table.write([{ put: { ...KEY, ...registry }, when }]);
  return refused.length === 0 ? registry : undefined;
}

/** Sends the message of the registry's next step, if there is one. */
export async function sendNextStep({ step, version }: IndexRegistry, queue: Queue): Promise<void> {
  if (step === undefined) return;
  const message = { body: JSON.stringify({ version }), group: 'SPACE', deduplicationId: `version-${version}` };
  await queue.send('move-index', message);
}

export const afterPause = ({ pauseSeconds }: IndexRegistry, { clock }: { readonly clock: Clock }): number =>
  epochSeconds(clock) + pauseSeconds;

/** Ends dual writing. The secondary index is deleted after a pause, when no process writes it any more. */
export function stopDualWrite(registry: IndexRegistry, deps: { readonly clock: Clock }) {
  const notBefore = afterPause(registry, deps);
  return { step: 'drop', secondary: undefined, after: undefined, retired: withSecondary(registry), notBefore } as const;
}

export const withSecondary = ({ retired, secondary }: IndexRegistry): readonly string[] =>
  secondary ? [...retired, secondary.index] : retired;
