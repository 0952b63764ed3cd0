import { type Clock, epochSeconds } from '../../clock.ts';
import { retryWhenOvertaken } from '../../optimistic-retry.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Table } from '../../ports/table.ts';
import {
  changeIndexRegistry,
  type IndexRegistry,
  type IndexSpec,
  isSameKind,
  type RegisteredIndex,
  readIndexRegistry,
  sendNextStep,
  stopDualWrite,
  withSecondary,
} from './index-registry.ts';

export type EnsureIndexDeps = {
  readonly table: Table;
  readonly queue: Queue;
  readonly clock: Clock;
  /** Returns a name that no index has had. */
  readonly newName: (kind: IndexSpec) => string;
  /** Makes the index unless it exists. Returns whether it was missing. */
  readonly make: (index: RegisteredIndex) => Promise<boolean>;
  /** Returns whether this index stays searched until another one is filled. */
  readonly canStay: (searched: RegisteredIndex) => boolean;
  /** Seconds during which processes that do not know of the migration may still write. */
  readonly fillAfterSeconds: number;
  readonly pauseSeconds: number;
};

export const ATTEMPTS = 5;

/**
 * Ensures that an index of this kind exists and is or will be searched: makes the first one, starts a migration from
 * another kind, reverts a migration that has not ended, or refills an index that was lost. May be repeated.
 */
export async function ensureSearchedIndex(kind: IndexSpec, deps: EnsureIndexDeps): Promise<IndexRegistry> {
  const overtaken = 'other processes keep changing the index registry: try again';
  const registry = await retryWhenOvertaken(ATTEMPTS, overtaken, async () => {
    const before = await readIndexRegistry(deps.table);
    const next = await registryFor(kind, before, deps);
    return next === before ? before : changeIndexRegistry(before, next, deps);
  });
  await sendNextStep(registry, deps.queue);
  return registry;
}

type NextRegistry = Omit<IndexRegistry, 'version' | 'changedAt'>;

async function registryFor(
  kind: IndexSpec,
  before: IndexRegistry | undefined,
  deps: EnsureIndexDeps,
): Promise<NextRegistry> {
  const { pauseSeconds, fillAfterSeconds } = deps;
  const notBefore = epochSeconds(deps.clock) + fillAfterSeconds;
  const backfill = { step: 'backfill', after: undefined, notBefore, pauseSeconds } as const;
  if (before && isSameKind(before.searched, kind)) {
    const isMissing = await deps.make(before.searched);
    if (isMissing) return { ...before, ...backfill, secondary: undefined, retired: withSecondary(before) };
    const isReverted = before.step === 'backfill' && before.secondary !== undefined;
    return isReverted ? { ...before, ...stopDualWrite(before, deps) } : before;
  }
  if (before?.secondary && before.step === 'backfill' && isSameKind(before.secondary, kind)) {
    const isMissing = await deps.make(before.secondary);
    return isMissing ? { ...before, ...backfill } : before;
  }
  const made: RegisteredIndex = { ...kind, index: deps.newName(kind) };
  await deps.make(made);
  if (before && deps.canStay(before.searched))
    return { ...before, ...backfill, secondary: made, retired: withSecondary(before) };
  return { ...backfill, searched: made, retired: before?.retired ?? [] };
}
