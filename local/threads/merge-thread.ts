import { workerData } from 'node:worker_threads';
import { answerRequests } from '../../lambdas/connectors/worker-thread.ts';
import { openReader } from '../sqlite/database.ts';
import { type Merged, merged } from '../sqlite/index/merge-plan.ts';
import { type SegmentRow, segmentRows } from '../sqlite/index/segment-rows.ts';
import { fileFailure } from '../sqlite/store-error.ts';

/* Merges segments for segment-merger.ts, through a connection of its own. */

answerRequests(
  (rows: readonly SegmentRow[]) => {
    try {
      return read(rows);
    } catch (error) {
      if (fileFailure(error)) return undefined;
      throw error;
    }
  },
  (answer) => [...new Set(Object.values(answer?.sections ?? {}).map(({ buffer }) => buffer))],
);

function read(rows: readonly SegmentRow[]): Merged | undefined {
  const database = openReader(workerData);
  try {
    database.exec('BEGIN'); // a purge meanwhile removes all segments or none
    const reader = segmentRows(database);
    return reader.have(rows) ? merged(rows, reader) : undefined;
  } finally {
    database.close();
  }
}
