import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { encodeSections } from '../../lambdas/search-engine/segment-format.ts';
import { segmentRows } from '../../local/sqlite/index/segment-rows.ts';
import { segmentStore } from '../../local/sqlite/index/segment-store.ts';

/* A thread that replaces the only segment of a store by the same one until it is terminated, as fast as it can. */

const database = new DatabaseSync(workerData, { timeout: 10_000 });
database.exec('PRAGMA synchronous = OFF');
const { storePart, replace } = segmentStore(database);
const rows = segmentRows(database);
for (let n = 0; ; n++) {
  const found = rows.of(1);
  const merged = rows.merged(found);
  if (!merged) throw new Error('another thread has removed the segment');
  const { made, sections, dropped } = merged;
  database.exec('BEGIN IMMEDIATE');
  storePart(made?.id ?? 0, 0, encodeSections(sections));
  replace(found, { made, dropped });
  database.exec('COMMIT');
  if (n === 10) parentPort?.postMessage('running');
}
