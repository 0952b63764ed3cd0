import { join } from 'node:path';
import { openReader } from '../lambdas/adapters/local/engine/database.ts';
import { FILE_NAME } from '../lambdas/adapters/local/engine/schema.ts';
import { neighboursToMerge } from '../lambdas/adapters/local/index-store/merge-plan.ts';
import { segmentRows } from '../lambdas/adapters/local/index-store/segment-rows.ts';
import { eventually } from '../test/support/eventually.ts';

const LONGEST_MS = 180_000;

/** Waits until the segments of a running service are as few as they become; it begins some 40 s after the last page. */
export async function untilMerged(dataDir: string): Promise<void> {
  const database = openReader(join(dataDir, FILE_NAME));
  const partitions = database.prepare('SELECT DISTINCT partition_id AS id FROM index_segment').all();
  const { of } = segmentRows(database);
  await eventually(
    async () => partitions.every(({ id }) => neighboursToMerge(of(Number(id))).length === 0),
    LONGEST_MS,
  );
  database.close();
}
