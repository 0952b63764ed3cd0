import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync, type Metafile } from 'esbuild';
import { type QueueDefinition, queues } from '../lambdas/messages.ts';
import { type OperationName, routes } from '../lambdas/routes.ts';

/** The path in `lambdas/` of a function's file, without its extension. */
export type Entry = `api/${OperationName | 'fallback'}` | `workers/${string}`;

/** For each port, the file of `lambdas/adapters/` whose import shows that a function uses it. */
const PORT_FILES = {
  table: 'aws/table.ts',
  queue: 'aws/queue.ts',
  timetable: 'aws/timetable.ts',
  'page-store': 'aws/page-store.ts',
  'page-index': 'aws/opensearch/client.ts',
  'event-sink': 'aws/event-sink.ts',
  'edge-logs': 'aws/edge-logs.ts',
  embedder: 'embedder/configured.ts',
  'chat-model': 'chat-model/configured.ts',
} as const;

export type Port = keyof typeof PORT_FILES;
export const PORTS = Object.keys(PORT_FILES) as readonly Port[];

export type Bundle = {
  readonly writeTo: (folder: string) => void;
  /** The ports that an entry's code imports. Its function is granted these and no others. */
  readonly portsOf: (entry: Entry) => readonly Port[];
  readonly bytesAtStart: (entry: Entry) => number;
};

export const operations = Object.keys(routes) as readonly OperationName[];

const queueWorkers = (Object.values(queues) as readonly QueueDefinition[]).flatMap(({ worker }) => worker ?? []);

export const entries: readonly Entry[] = [
  ...operations.map((name): Entry => `api/${name}`),
  'api/fallback',
  ...[...queueWorkers, 'watchdog', 'collect-events', 'expire-events', 'create-index'].map(
    (name): Entry => `workers/${name}`,
  ),
];

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = 'bundle';
/** `lambdas/adapters/embedding-table-file.ts` has its relative path, which must hold in the bundle too. */
const EMBEDDING_TABLE = 'embedder/english-256.sem';

/**
 * The code of all functions, in one folder. It is built on first use.
 * Functions with the same ports are bundled together: they share files, and load no package that only others need.
 */
export function buildBundle(): Bundle {
  const ports = portsOfEntries();
  let built: readonly ReturnType<typeof runEsbuild>[] | undefined;
  const groups = () => {
    built ??= [...Map.groupBy(entries, (entry) => String(ports.get(entry))).values()].map((group) => runEsbuild(group));
    return built;
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

/** Packages stay external here, because only the service's own imports decide. */
function portsOfEntries(): ReadonlyMap<Entry, readonly Port[]> {
  const { outputs } = runEsbuild(entries, 'external').metafile;
  return new Map(entries.map((entry) => [entry, portsIn(filesOf(entry, outputs))]));
}

function runEsbuild(group: readonly Entry[], packages: 'bundle' | 'external' = 'bundle') {
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
    // CommonJS packages call `require` for Node's built-in modules.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
}

type Outputs = Metafile['outputs'];
type Output = Outputs[string];

/** The files that an entry loads, including those of dynamic imports unless `when` is 'at start'. */
function filesOf(entry: Entry, outputs: Outputs, when?: 'at start'): readonly Output[] {
  const paths = new Set([`${OUT}/lambdas/${entry}.mjs`]);
  const files: Output[] = [];
  for (const path of paths) {
    const output = outputs[path];
    if (!output) throw new Error(`the bundle has no file ${path}`);
    files.push(output);
    const imports = output.imports.filter(({ kind, external }) => !external && (!when || kind === 'import-statement'));
    for (const { path: imported } of imports) paths.add(imported); // the loop over `paths` visits it as well
  }
  return files;
}

function write(file: string, contents: Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, contents);
}

function portsIn(outputs: readonly Output[]): readonly Port[] {
  const files = new Set(outputs.flatMap(({ inputs }) => Object.keys(inputs)));
  return PORTS.filter((port) => files.has(`lambdas/adapters/${PORT_FILES[port]}`));
}
