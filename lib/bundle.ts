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

/**
 * The code of all functions, in one folder; it is made when it is first asked for. Functions that use the same ports are bundled together:
 * they share files, and none has parts of a package in it that only another group needs.
 */
export function buildBundle(): Bundle {
  const ports = portsOfEntries();
  let made: readonly ReturnType<typeof bundled>[] | undefined;
  const groups = () => {
    made ??= [...Map.groupBy(entries, (entry) => String(ports.get(entry))).values()].map((group) => bundled(group));
    return made;
  };
  return {
    writeTo: (folder) => {
      const files = groups().flatMap(({ outputFiles }) => outputFiles);
      for (const { path, contents } of files) write(join(folder, relative(join(ROOT, OUT), path)), contents);
      cpSync(join(ROOT, EMBEDDING_TABLE), join(folder, EMBEDDING_TABLE));
    },
    portsOf: (entry) => ports.get(entry) ?? [],
    bytesAtStart: (entry) => {
      const outputs: Outputs = Object.assign({}, ...groups().map(({ metafile }) => metafile.outputs));
      return filesOf(entry, outputs, 'at start').reduce((sum, { bytes }) => sum + bytes, 0);
    },
  };
}

/** By what the service's own files import: packages need not be read for that. */
function portsOfEntries(): ReadonlyMap<Entry, readonly Port[]> {
  const { outputs } = bundled(entries, 'external').metafile;
  return new Map(entries.map((entry) => [entry, portsIn(filesOf(entry, outputs))]));
}

function bundled(group: readonly Entry[], packages: 'bundle' | 'external' = 'bundle') {
  return buildSync({
    absWorkingDir: ROOT,
    entryPoints: group.map((entry) => `lambdas/${entry}.ts`),
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
    alias: { '@aws-sdk/credential-provider-node': './lambdas/adapters/aws/function-credentials.ts' },
    packages,
    minify: true,
    legalComments: 'none',
    // CommonJS packages call `require` for what Node has built in.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
}

type Outputs = Metafile['outputs'];
type Output = Outputs[string];

/** The files that an entry loads, with those that it may load later unless only the start counts. */
function filesOf(entry: Entry, outputs: Outputs, when?: 'at start'): readonly Output[] {
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

function portsIn(outputs: readonly Output[]): readonly Port[] {
  const files = new Set(outputs.flatMap(({ inputs }) => Object.keys(inputs)));
  return PORTS.filter((port) => files.has(`lambdas/adapters/${FILES[port]}`));
}
