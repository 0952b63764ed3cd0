import type { Clock } from '../../clock.ts';
import { UnavailableError } from '../../errors.ts';
import type { TableReader } from '../../ports/table.ts';
import { type IndexRegistry, readIndexRegistry } from './index-registry.ts';

/** Shorter than the pause between the steps of a migration. */
const MAX_AGE_MS = 5000;

/**
 * Returns a function that reads the registry. Its result is at most five seconds old, or the last one read while the
 * table is unavailable.
 */
export function cachedRegistry({ table, clock }: { readonly table: TableReader; readonly clock: Clock }) {
  let cached: { readonly registry: IndexRegistry; readonly readAt: number } | undefined;
  let reading: Promise<IndexRegistry> | undefined;
  const read = async (): Promise<IndexRegistry> => {
    const readAt = clock();
    const registry = await readIndexRegistry(table);
    if (!registry) throw new UnavailableError('no index has been made yet');
    cached = { registry, readAt };
    return registry;
  };
  return async (): Promise<IndexRegistry> => {
    if (cached && clock() - cached.readAt < MAX_AGE_MS) return cached.registry;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    try {
      return await reading;
    } catch (error) {
      if (cached && error instanceof UnavailableError) return cached.registry;
      throw error;
    }
  };
}
