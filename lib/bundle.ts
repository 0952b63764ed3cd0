import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync, type Metafile } from 'esbuild';
import { queues } from '../lambdas/messages.ts';
import type { Route } from '../lambdas/routes/route.ts';
import { type OperationName, routes } from '../lambdas/routes.ts';

/** A file of `lambdas/` that a function runs, without its ending. */
export type Entry = `api/${OperationName | 'fallback'}` | `workers/${string}`;

/** What has to be granted to code that imports the file of `lambdas/adapters/`. */
const FILES = {
  table: 'aws/table.ts',
  queue: 'aws/queue.ts',
  'page-store': 'aws/page-store.ts',
  'page-index': 'aws/opensearch/client.ts',
  embedder: 'embedder.ts',
} as const;

export type Port = keyof typeof FILES;
export const PORTS = Object.keys(FILES) as readonly Port[];

export type Bundle = {
  readonly writeTo: (folder: string) => void;
  /** What an entry's code imports: it is granted that and no more. */
  readonly portsOf: (entry: Entry) => readonly Port[];
  /** What it loads before its first request. */
  readonly bytesAtStart: (entry: Entry) => number;
};

export const servedOperations: readonly OperationName[] = Object.entries(routes)
  .filter(([, route]: readonly [string, Route]) => !route.pending)
  .map(([name]) => name as OperationName);

const workers = new Set(Object.values(queues).map(({ worker }) => worker));
workers.delete('none');

export const entries: readonly Entry[] = [
  ...servedOperations.map((name): Entry => `api/${name}`),
  'api/fallback',
  ...[...workers, 'watchdog', 'create-index'].map((name): Entry => `workers/${name}`),
];

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = 'bundle';
/** A file that code finds by its own place: the bundle keeps both as deep as they are here. */
const EMBEDDING_TABLE = 'embedder/english-256.sem';

/** One run for all functions. What several of them import stands in files of its own, and what one imports late it loads late. */
export function buildBundle(): Bundle {
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: ROOT,
    entryPoints: entries.map((entry) => `lambdas/${entry}.ts`),
    outdir: OUT,
    outbase: '.',
    outExtension: { '.js': '.mjs' },
    chunkNames: 'lambdas/shared/[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    // CommonJS packages call `require` for what Node has built in.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  return {
    writeTo: (folder) => {
      for (const { path, contents } of outputFiles) write(join(folder, relative(join(ROOT, OUT), path)), contents);
      cpSync(join(ROOT, EMBEDDING_TABLE), join(folder, EMBEDDING_TABLE));
    },
    portsOf: (entry) => portsIn(filesOf(entry, metafile).flatMap(({ inputs }) => Object.keys(inputs))),
    bytesAtStart: (entry) => filesOf(entry, metafile, 'at start').reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

type Output = Metafile['outputs'][string];

/** The files that an entry loads, with those that it may load later unless only the start counts. */
function filesOf(entry: Entry, { outputs }: Metafile, when?: 'at start'): readonly Output[] {
  const paths = new Set([`${OUT}/lambdas/${entry}.mjs`]);
  const files: Output[] = [];
  for (const path of paths) {
    const output = outputs[path];
    if (!output) throw new Error(`there is no ${path} in the bundle`);
    files.push(output);
    const imports = output.imports.filter(({ kind, external }) => !external && (!when || kind === 'import-statement'));
    for (const { path: imported } of imports) paths.add(imported); // the loop comes to it too
  }
  return files;
}

function write(file: string, contents: Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, contents);
}

function portsIn(inputs: readonly string[]): readonly Port[] {
  const files = new Set(inputs);
  return PORTS.filter((port) => files.has(`lambdas/adapters/${FILES[port]}`));
}
