import { epochSeconds } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { retryWhenOvertaken } from '../../optimistic-retry.ts';
import { ATTEMPTS, type EnsureIndexDeps } from './ensure-index.ts';
import {
  changeIndexRegistry,
  type IndexRegistry,
  type RegisteredIndex,
  readIndexRegistry,
  sendNextStep,
  withSecondary,
} from './index-registry.ts';

/**
 * Makes a new index of the same kind and starts to fill it from registry and page store, whatever the state of the old
 * index. If the old index can stay, it is searched until the new one is complete; otherwise the new one is searched
 * while it fills.
 */
export async function rebuildIndex(deps: EnsureIndexDeps): Promise<IndexRegistry> {
  const registry = await retryWhenOvertaken(ATTEMPTS, 'the index registry keeps changing: try again', async () => {
    const before = await readIndexRegistry(deps.table);
    if (!before) throw new AppError('not_found', 'There is no index yet. A deployment creates it.');
    const { index: _, ...kind } = (before.step === 'backfill' && before.secondary) || before.searched;
    const made: RegisteredIndex = { ...kind, index: deps.newName(kind) };
    await deps.make(made);
    return changeIndexRegistry(before, rebuilt(before, made, deps), deps);
  });
  await sendNextStep(registry, deps.queue);
  return registry;
}

function rebuilt(
  before: IndexRegistry,
  made: RegisteredIndex,
  { canStay, clock, fillAfterSeconds, pauseSeconds }: EnsureIndexDeps,
): IndexRegistry {
  const notBefore = epochSeconds(clock) + fillAfterSeconds;
  const begun = { ...before, step: 'backfill', after: undefined, notBefore, pauseSeconds } as const;
  const retired = withSecondary(before);
  return canStay(before.searched)
    ? { ...begun, secondary: made, retired }
    : { ...begun, searched: made, secondary: undefined, retired: [...retired, before.searched.index] };
}
