import { batchesBySize } from '../../batches.ts';
import type { IngestItem } from './ingest-item.ts';

const PAGES_PER_BATCH = 10;
/** Limits how long a batch occupies the processor, which the ingestBatches of a request share. */
const CHARACTERS_PER_BATCH = 200_000;

/**
 * Splits pages into rounds: the first page of each URL and key, then the second of each, and so on. No round has a URL
 * or a key twice.
 */
export function rounds(items: readonly IngestItem[]): readonly (readonly IngestItem[])[] {
  const seen = new Map<string, number>();
  const made: IngestItem[][] = [];
  for (const item of items) {
    const names = [`url ${item.urlHash}`, ...(item.input.key === undefined ? [] : [`key ${item.input.key}`])];
    const round = Math.max(...names.map((name) => seen.get(name) ?? 0));
    for (const name of names) seen.set(name, round + 1);
    made[round] = [...(made[round] ?? []), item];
  }
  return made;
}

export const ingestBatches = (items: readonly IngestItem[]): readonly (readonly IngestItem[])[] =>
  batchesBySize(items, ({ input }) => input.content.length, { size: CHARACTERS_PER_BATCH, most: PAGES_PER_BATCH });
