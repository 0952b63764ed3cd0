import { join } from 'node:path';
import { openReader } from '../../local/sqlite/database.ts';
import { segmentRows } from '../../local/sqlite/index/segment-rows.ts';
import { FILE_NAME } from '../../local/sqlite/schema.ts';
import { segmentsToMerge } from '../../local/threads/merge-segments.ts';
import { eventually } from '../../test/support/eventually.ts';

const MAX_MS = 180_000;

/** Waits until a running service has merged all segments. It begins some 40 s after the last page. */
export async function untilMerged(dataDir: string): Promise<void> {
  const database = openReader(join(dataDir, FILE_NAME));
  const partitions = database.prepare('SELECT DISTINCT partition_id AS id FROM index_segment').all();
  const { of } = segmentRows(database);
  await eventually(
    async () => partitions.every(({ id }) => segmentsToMerge(of(Number(id)), true).length === 0),
    MAX_MS,
  );
  database.close();
}
