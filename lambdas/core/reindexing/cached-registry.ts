import type { Clock } from '../clock.ts';
import { UnavailableError } from '../errors.ts';
import type { Table } from '../ports/table.ts';
import { readSpaces, type SpaceRecord } from './index-registry.ts';

/** Below the pause that a move makes between its steps. */
const REMEMBERED_MS = 5000;

/** Answers which index is searched and which are written, as it was at most five seconds ago, or last while the table is away. */
export function knownSpaces({ table, clock }: { readonly table: Table; readonly clock: Clock }) {
  let known: { readonly record: SpaceRecord; readonly readAt: number } | undefined;
  let reading: Promise<SpaceRecord> | undefined;
  const read = async (): Promise<SpaceRecord> => {
    const readAt = clock();
    const record = await readSpaces(table);
    if (!record) throw new UnavailableError('no index has been made yet');
    known = { record, readAt };
    return record;
  };
  return async (): Promise<SpaceRecord> => {
    if (known && clock() - known.readAt < REMEMBERED_MS) return known.record;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    try {
      return await reading;
    } catch (error) {
      if (known && error instanceof UnavailableError) return known.record;
      throw error;
    }
  };
}
