import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { hasBrowser } from '../support/has-browser.ts';
import { LocalService } from '../support/local-service.ts';

/*
 * npm run test:clients: generates clients from the OpenAPI documents of both surfaces with openapi-typescript, hey-api
 * and openapi-python-client, checks their types, and makes a round trip with each on a running service. Spectral finds
 * nothing in the documents. Then tests the adapters of packages/client (adapters/run.ts).
 */

const PYTHON_CLIENT = '0.29.1';
const MYPY = '2.4.1';
const ROOT = join(import.meta.dirname, '../..');
const GENERATORS = join(import.meta.dirname, 'generators');
const ADAPTERS = join(import.meta.dirname, 'adapters');
const { CI, PATH, XDG_CACHE_HOME } = process.env;
const VENV = join(XDG_CACHE_HOME || join(homedir(), '.cache'), `site-search/openapi-python-client-${PYTHON_CLIENT}`);

const execute = promisify(execFile);
/** Fails with what the command printed. */
async function run(command: string, args: readonly string[], cwd = folder): Promise<void> {
  const { baseUrl, publicUrl, apiKey } = service.ready;
  const env = {
    ...process.env,
    PATH: `${VENV}/bin:${PATH}`, // a generator formats what it writes
    SERVICE: JSON.stringify({ baseUrl, publicUrl, apiKey }),
  };
  await execute(command, args, { cwd, env }).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });
}
const node = (file: string, ...args: readonly string[]) => run(process.execPath, [file, ...args]);
const python = (command: string, ...args: readonly string[]) => run(join(VENV, 'bin', command), args);
const documentOf = (surface: 'api' | 'v1') => join(folder, `openapi-${surface}.json`);

const SURFACES = ['api', 'v1'] as const;
/** By the folder of each, which is named after the title of its document. */
const PYTHON_PACKAGES = {
  'site-search-api-client': 'site_search_api_client',
  'site-search-for-visitors-client': 'site_search_for_visitors_client',
};

/** False, with a message, on a machine without Python; the hosted checks have one. */
async function installPython(): Promise<boolean> {
  const isThere = await execute('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    const message = 'openapi-python-client, because it needs Python 3.11';
    if (CI) throw new Error(`Not tested: ${message}`);
    console.error(`Skipped: ${message}.`);
    return false;
  }
  if (existsSync(join(VENV, 'bin/mypy'))) return true;
  await run('python3', ['-m', 'venv', VENV]);
  await run(join(VENV, 'bin/pip'), ['install', '-q', `openapi-python-client==${PYTHON_CLIENT}`, `mypy==${MYPY}`]);
  return true;
}

async function generateTypeScript(): Promise<void> {
  const { resolve } = createRequire(join(import.meta.dirname, 'package.json'));
  const openapiTypescript = join(dirname(resolve('openapi-typescript')), '../bin/cli.js');
  const heyApi = join(GENERATORS, 'node_modules/@hey-api/openapi-ts/bin/run.js');
  await symlink(dirname(dirname(dirname(resolve('openapi-fetch')))), join(folder, 'node_modules'));
  for (const surface of SURFACES) {
    await node(openapiTypescript, documentOf(surface), '-o', join(folder, `openapi-typescript/${surface}.ts`));
    await node(heyApi, '--silent', '-i', documentOf(surface), '-o', join(folder, `hey-api/${surface}`));
  }
  const compilerOptions = {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  };
  const files = ['openapi-fetch.ts', 'hey-api.ts'];
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  await node(join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder);
}

async function generatePython(): Promise<void> {
  for (const surface of SURFACES) await python('openapi-python-client', 'generate', '--path', documentOf(surface));
  // Into one folder, where both are found.
  for (const [title, name] of Object.entries(PYTHON_PACKAGES))
    await rename(join(folder, title, name), join(folder, name));
  await python('mypy', '--strict', 'round_trip.py', ...Object.values(PYTHON_PACKAGES));
}

async function roundTrip(client: 'openapi-fetch' | 'hey-api'): Promise<void> {
  const bundle = join(folder, `${client}.mjs`);
  await build({ entryPoints: [join(folder, `${client}.ts`)], outfile: bundle, bundle: true, format: 'esm' });
  await node(bundle);
  console.log(`${client}: compiles, and its round trip succeeds`);
}

const folder = await mkdtemp(join(tmpdir(), 'site-search-clients-'));
const service = await LocalService.start();
try {
  await cp(join(import.meta.dirname, 'round-trips'), folder, { recursive: true });
  const hasPython = await installPython();
  await run('npm', ['ci'], GENERATORS);
  for (const surface of SURFACES) {
    const response = await fetch(new URL(`/docs/openapi-${surface}.json`, service.ready.baseUrl));
    await writeFile(documentOf(surface), await response.text());
  }
  await Promise.all([
    node(join(import.meta.dirname, 'spectral.ts'), join(ROOT, 'docs/openapi.json'), ...SURFACES.map(documentOf)),
    generateTypeScript(),
    hasPython && generatePython(),
  ]);
  console.log('Spectral: finds nothing');
  await roundTrip('openapi-fetch');
  await roundTrip('hey-api');
  if (hasPython) {
    await python('python', 'round_trip.py');
    console.log('openapi-python-client: passes mypy --strict, and its round trip succeeds');
  }
  await run('npm', ['ci'], ADAPTERS);
  if (hasBrowser) await import('./adapters/run.ts');
  else console.error('Skipped: the adapters of packages/client, because they need a browser.');
} finally {
  await service.end();
  await rm(folder, { recursive: true, force: true });
}
