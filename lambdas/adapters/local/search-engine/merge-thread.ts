import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { fileFailure } from '../engine/sqlite-error.ts';
import { type Merged, merged } from './merge-plan.ts';
import { type SegmentRow, SegmentRows } from './segment-rows.ts';

/* Merges segments for segment-merger.ts, through a connection of its own. */

parentPort?.on('message', (rows: readonly SegmentRow[]) => {
  try {
    const made = read(rows);
    parentPort?.postMessage(made, [made.bytes.buffer]);
  } catch (error) {
    if (!fileFailure(error)) throw error;
    parentPort?.postMessage(undefined);
  }
});

function read(rows: readonly SegmentRow[]): Merged {
  const database = new DatabaseSync(workerData, { readOnly: true, timeout: 1000 });
  try {
    return merged(rows, new SegmentRows(database));
  } finally {
    database.close();
  }
}
