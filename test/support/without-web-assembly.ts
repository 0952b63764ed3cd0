import { indexEntry, newScope } from './index-entries.ts';

/* Writes a large page to a folder and merges its segment. Prints the merged chunks, and how often the scan was compiled. */

const CHUNKS = 1000;
/** Node's own modules of WebAssembly are larger. */
const LARGEST_OF_OURS = 1000;

declare const WebAssembly: { Module: new (bytes: Uint8Array) => object };
let compiled = 0;
WebAssembly.Module = new Proxy(WebAssembly.Module, {
  construct(target, [bytes]: [Uint8Array]) {
    if (bytes.length < LARGEST_OF_OURS) compiled++;
    return new target(bytes);
  },
});

const { openDatabase } = await import('../../local/sqlite/database.ts');
const { merged } = await import('../../local/sqlite/index/merge-plan.ts');
const { segmentRows } = await import('../../local/sqlite/index/segment-rows.ts');
const { segmentStore } = await import('../../local/sqlite/index/segment-store.ts');
const { pageBatch } = await import('../../lambdas/search-engine/page-batch.ts');

const database = openDatabase(process.argv[2] ?? '');
const texts = Array.from({ length: CHUNKS }, (_, n) => `gopher ${n}`);
segmentStore(database).put(pageBatch([indexEntry(newScope(), { texts })]));
const rows = segmentRows(database);
const { made } = merged(rows.of(1), rows);
database.close();
console.log(JSON.stringify({ merged: made?.chunks, compiled }));
