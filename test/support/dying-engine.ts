import type { Worker } from 'node:worker_threads';
import { closeEngine, openEngine } from '../../lambdas/adapters/local/engine.ts';
import { table } from '../../lambdas/adapters/local/table.ts';

/* Opens a store, ends its engine thread from outside and prints the names of the errors that its callers get. */

let thread: Worker | undefined;
process.once('worker', (worker: Worker) => {
  thread = worker;
});
const nameOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (error: Error) => error.name,
  );

const { died } = await openEngine(process.argv[2] ?? '');
const waiting = nameOf(table.putMany(Array.from({ length: 100_000 }, (_, n) => ({ pk: 'p', sk: String(n) }))));
await thread?.terminate();
const later = nameOf(table.get({ pk: 'p', sk: '1' }));
console.log(JSON.stringify({ waiting: await waiting, later: await later, died: (await died).name }));
await closeEngine();
