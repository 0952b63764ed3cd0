import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync, type Metafile } from 'esbuild';
import { type Entry, entries, permissionsOf } from './entries.ts';

/**
 * The deployed assets. Functions that render pages need a browser of 67 MB beside their code; one publishes the files for
 * browsers, which lie beside it alone.
 */
export const ASSETS = ['service', 'browser', 'publisher'] as const;
export type Asset = (typeof ASSETS)[number];

export type Bundle = {
  readonly writeTo: (folder: string, asset: Asset) => void;
  readonly assetOf: (entry: Entry) => Asset;
  readonly bytesAtStart: (entry: Entry) => number;
  /** The bytes that an entry loads at start, by package and by folder of the service's code. */
  readonly partsAtStart: (entry: Entry) => ReadonlyMap<string, number>;
};

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = 'bundle';
const BROWSER_PACKAGE = '@sparticuz/chromium';
/** The stemmers are loaded by language (`lambdas/text/words/stemmer.ts`), so their files lie beside the code. */
const STEMMERS = 'node_modules/@orama/stemmers';
/**
 * The table of the built-in embedder. `lambdas/connectors/embedding-table-file.ts` has its relative path, which must
 * hold in the bundle too.
 */
const EMBEDDING_TABLE = 'embedder/english-256.sem';
/**
 * The thread that reads PDFs. It starts when a crawl meets the first PDF (`lambdas/connectors/pdf-thread-file.ts`), and
 * looks for the character maps beside its file.
 */
const PDF_THREAD = 'connectors/pdf/pdf-thread';
const CHARACTER_MAPS = 'node_modules/pdfjs-dist/cmaps';

/**
 * Returns the code of all functions, in one folder, which is built on first use.
 * Functions with the same permissions are bundled together: they share files, and load no package that only others need
 * (docs/decisions/001-dependencies.md).
 */
export function buildBundle(): Bundle {
  let built: readonly (ReturnType<typeof runEsbuild> & { readonly group: readonly Entry[] })[] | undefined;
  const groups = () => {
    built ??= [...Map.groupBy(entries, groupOf).values()].map((group) => ({ ...runEsbuild(group), group }));
    return built;
  };
  const loadedAtStart = (entry: Entry): readonly Output[] => {
    const outputs: Outputs = Object.assign({}, ...groups().map(({ metafile }) => metafile.outputs));
    return filesAtStart(entry, outputs);
  };
  return {
    assetOf,
    writeTo: (folder, asset) => {
      const wanted = groups().filter(({ group }) => group.every((entry) => assetOf(entry) === asset));
      const outputs = [...wanted, ...(asset === 'publisher' ? [] : [runEsbuild([PDF_THREAD])])];
      for (const { path, contents } of outputs.flatMap(({ outputFiles }) => outputFiles))
        write(join(folder, relative(join(ROOT, OUT), path)), contents);
      if (asset === 'publisher') return;
      cpSync(join(ROOT, EMBEDDING_TABLE), join(folder, EMBEDDING_TABLE));
      cpSync(join(ROOT, CHARACTER_MAPS), join(folder, 'lambdas/connectors/pdf/cmaps'), { recursive: true });
      cpSync(join(ROOT, STEMMERS), join(folder, STEMMERS), { recursive: true, filter: isNeeded });
      if (asset === 'browser') for (const name of packagesOf(BROWSER_PACKAGE)) copyPackage(name, folder);
    },
    bytesAtStart: (entry) => loadedAtStart(entry).reduce((sum, { bytes }) => sum + bytes, 0),
    partsAtStart: (entry) => {
      const parts = new Map<string, number>();
      for (const { inputs } of loadedAtStart(entry))
        for (const [path, { bytesInOutput }] of Object.entries(inputs))
          parts.set(partOf(path), (parts.get(partOf(path)) ?? 0) + bytesInOutput);
      return parts;
    },
  };
}

/**
 * Returns the group of functions with which an entry is bundled: those that use the same ports and equally send or do
 * not.
 */
function groupOf(entry: Entry): string {
  const { uses, sends } = permissionsOf(entry);
  return String([...uses.toSorted(), sends.length > 0]);
}

function assetOf(entry: Entry): Asset {
  const { uses } = permissionsOf(entry);
  if (uses.includes('page-renderer')) return 'browser';
  return uses.includes('web-files') ? 'publisher' : 'service';
}

function runEsbuild(group: readonly (Entry | typeof PDF_THREAD)[]) {
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
    conditions: ['aws', 'module'],
    alias: { '@aws-sdk/credential-provider-node': './lambdas/aws/function-credentials.ts' },
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

/** Returns the files that an entry loads at start, without those of dynamic imports. */
function filesAtStart(entry: Entry, outputs: Outputs): readonly Output[] {
  const paths = new Set([`${OUT}/lambdas/${entry}.mjs`]);
  const files: Output[] = [];
  for (const path of paths) {
    const output = outputs[path];
    if (!output) throw new Error(`the bundle has no file ${path}`);
    files.push(output);
    const imports = output.imports.filter(({ kind, external }) => !external && kind === 'import-statement');
    for (const { path: imported } of imports) paths.add(imported); // the loop over `paths` visits it as well
  }
  return files;
}

/** Selects the files of the stemmers to deploy: no sources, types, or copies for other module systems. */
const isNeeded = (path: string): boolean => !/\.(?:map|js|d\.c?ts|md)$/.test(path) || path.endsWith('LICENSE.md');

/** Returns a package and its dependencies. It unpacks files of its folder, so it cannot be bundled. */
function packagesOf(name: string): ReadonlySet<string> {
  const names = new Set([name]);
  for (const each of names) {
    const { dependencies = {} } = JSON.parse(readFileSync(join(ROOT, 'node_modules', each, 'package.json'), 'utf8'));
    for (const needed of Object.keys(dependencies)) names.add(needed); // the loop over `names` visits it as well
  }
  return names;
}

const copyPackage = (name: string, folder: string): void =>
  cpSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true });

function write(file: string, contents: Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, contents);
}

/**
 * Returns the part that a file belongs to: its package, such as `zod`, or its folder in the service, such as
 * `domain/search`.
 */
function partOf(path: string): string {
  const [, inPackage] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  if (inPackage !== undefined) return inPackage;
  const folders = path.split('/').slice(1, -1);
  return folders.slice(0, 2).join('/');
}
