import { createHash, randomUUID } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { InlineConfig, Plugin, Rolldown } from 'vite';
import { surfaceDocument } from '../lambdas/runtime/openapi-surface.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUILDS = join(ROOT, 'dist/web');
/** The files that decide what is built. */
const SOURCES = [
  ...['web/**/*.*', 'packages/client/src/*.ts', 'lambdas/runtime/openapi-surface.ts'],
  ...['lambdas/domain/sites/access/origin.ts', 'docs/openapi.json', 'package-lock.json'],
];
/** Earlier builds that stay, because a service that runs while it is updated reads the files of its own. */
const EARLIER_BUILDS = 2;
/** The age at which a part of a build is left over from a process that was killed. */
const LEFT_OVER_MS = 3_600_000;
/** The classic scripts that websites name in their HTML: `/v1/NAME.js`. */
const SCRIPTS = ['site-search', 'widget', 'modal-widget', 'search-page'];
/** Icons under fixed names, for pages that are not built here. */
const ICONS = ['favicon.svg', 'favicon.ico'];
/** Libraries for React mark modules with `use client`, which means nothing in a page without a server of React. */
const CHECKS = { moduleLevelDirective: false };
/** Browsers of 2024, which know `light-dark()`: written for older ones, it fails in shadow trees. */
const CSS = ['chrome123', 'firefox120', 'safari17.5'];
/** What a script loads when it is used. */
const WIDGETS = ['modal', 'box', 'page', 'chat'];

/**
 * Returns the folder with the files for browsers, by their path at the service: `widgets/…`, `v1/site-search.js`,
 * `app/index.html`. Builds it unless it was built from the same sources before, and then writes nothing. Several
 * processes may call this at once.
 */
export async function buildWeb(): Promise<URL> {
  const built = join(BUILDS, sourcesHash());
  if (!existsSync(built)) {
    const part = join(BUILDS, `.${randomUUID()}`);
    makeFolder(part);
    try {
      await asProduction(() => buildAll(part));
      finish(part, built);
    } finally {
      rmSync(part, { recursive: true, force: true });
    }
    removeOld(built);
  }
  return pathToFileURL(`${built}/`);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    const advice = 'Run `node bin/web.ts` there as a user who may write to it';
    throw new Error(`The web pages of this version are not built, and ${BUILDS} is not writable. ${advice}`, { cause });
  }
}

/** Vite and the packages that it bundles differ by `NODE_ENV`. The same sources must give the same files. */
async function asProduction(run: () => Promise<void>): Promise<void> {
  const { env } = process;
  const given = env.NODE_ENV;
  env.NODE_ENV = 'production';
  try {
    await run();
  } finally {
    if (given === undefined) delete env.NODE_ENV;
    else env.NODE_ENV = given;
  }
}

/** Renames a build to its final name, unless another process was first. */
function finish(part: string, built: string): void {
  try {
    renameSync(part, built);
  } catch (error) {
    if (!existsSync(built)) throw error;
  }
}

function removeOld(current: string): void {
  const folders = readdirSync(BUILDS).map((name) => {
    const path = join(BUILDS, name);
    return { path, isPart: name.startsWith('.'), at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
  const parts = folders.filter(({ isPart, at }) => isPart && at < Date.now() - LEFT_OVER_MS);
  const earlier = folders.filter(({ path, isPart }) => !isPart && path !== current);
  const old = earlier.toSorted((one, other) => other.at - one.at).slice(EARLIER_BUILDS);
  for (const { path } of [...parts, ...old]) rmSync(path, { recursive: true, force: true });
}

function sourcesHash(): string {
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: ROOT }).toSorted())
    hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex').slice(0, 16);
}

async function buildAll(out: string): Promise<void> {
  const chunks = await buildWidgets(out);
  for (const name of SCRIPTS) await buildScript(name, chunks, out);
  await buildPages('web/home', '/', out);
  for (const name of ICONS) copyFileSync(join(ROOT, 'web/home', name), join(out, name));
  await buildPages('web/reference', '/docs/', join(out, 'docs'));
  await buildPages('web/try', '/docs/', join(out, 'docs'), ['try.html']);
  await buildPages('web/demo', '/', out, ['demo.css']);
  await buildPages('web/dashboard', '/app/', join(out, 'app'));
  writeDocuments(join(out, 'docs'));
}

/** Writes the modules of the widgets under names with a hash. Returns the file of each. */
async function buildWidgets(out: string): Promise<Readonly<Record<string, string>>> {
  const input = Object.fromEntries(WIDGETS.map((name) => [name, join(ROOT, `web/widgets/${name}.ts`)]));
  const output = { entryFileNames: 'widgets/[name]-[hash].js', chunkFileNames: 'widgets/[name]-[hash].js' };
  const { output: files } = await build(join(ROOT, 'web/widgets'), {
    plugins: [LEXER_ALONE],
    build: { outDir: out, modulePreload: false, rolldownOptions: { input, output, preserveEntrySignatures: 'strict' } },
  });
  const entries = files.filter((file) => file.type === 'chunk' && file.isEntry);
  return Object.fromEntries(entries.map(({ name = '', fileName }) => [name, fileName]));
}

/**
 * Leaves of `marked` its lexer. The package is one file whose last part makes a parser of everything, which a bundler
 * must keep: 3 kB. If a later version looks different, it stays whole, and the test of weights says so.
 */
const LEXER_ALONE: Plugin = {
  name: 'lexer-alone',
  transform: (code, id) =>
    id.includes('/marked/')
      ? code
          .replace(/var \w+=new \w+;function \w+\(\w+,\w+\)\{return \w+\.parse\([\s\S]*(?=export\{)/, '')
          .replace(/export\{.*?(\w+ as Lexer).*?\}/, 'export{$1}')
      : null,
};

/** Writes a classic script. It knows the files of the widgets by `CHUNKS`. */
async function buildScript(name: string, chunks: Readonly<Record<string, string>>, out: string): Promise<void> {
  const input = join(ROOT, `web/widgets/loader/${name}.ts`);
  const output = { format: 'iife', entryFileNames: `v1/${name}.js` } as const;
  await build(join(ROOT, 'web/widgets'), {
    define: { CHUNKS: JSON.stringify(chunks) },
    build: { outDir: out, rolldownOptions: { input, output } },
  });
}

/** Writes a page of the service, or the files named, with what they refer to. */
async function buildPages(folder: string, base: string, out: string, names = ['index.html']): Promise<void> {
  const input = names.map((name) => join(ROOT, folder, name));
  const assetFileNames = ({ names: [name = ''] }: { names: readonly string[] }) =>
    names.includes(name) ? name : 'assets/[name]-[hash][extname]';
  await build(join(ROOT, folder), {
    base,
    build: {
      outDir: out,
      assetsInlineLimit: 0,
      rolldownOptions: { input, output: { assetFileNames }, checks: CHECKS },
    },
  });
}

async function build(root: string, { build: options, ...config }: InlineConfig): Promise<Rolldown.RolldownOutput> {
  const { build: run } = await import('vite'); // 0.3 s, which a start without a build does not take
  const common = { root, configFile: false, envDir: false, logLevel: 'warn', publicDir: false } as const;
  const defaults = { target: 'es2022', cssTarget: CSS, emptyOutDir: false };
  const built = await run({ ...common, ...config, build: { ...defaults, ...options } });
  return built as Rolldown.RolldownOutput;
}

/** Writes the OpenAPI document, whole and for each kind of callers. */
function writeDocuments(folder: string): void {
  const document = readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8');
  writeFileSync(join(folder, 'openapi.json'), document);
  for (const surface of ['/api', '/v1'] as const) {
    const text = JSON.stringify(surfaceDocument(JSON.parse(document), surface));
    writeFileSync(join(folder, `openapi-${surface.slice(1)}.json`), text);
  }
}
