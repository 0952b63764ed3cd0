import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ASSETS, buildBundle } from '../lib/bundle.ts';
import { entries } from '../lib/entries.ts';
import { buildWeb } from '../web/build.ts';

/*
 * Writes the deployed code to `dist/`: an .mjs per endpoint and worker in `dist/lambdas/`, and shared files; the files
 * for browsers to `dist/web/`; and the modules of the client to `packages/client/dist/`.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'dist');
mkdirSync(folder, { recursive: true });
// A service that runs from this folder serves its files for browsers.
for (const name of readdirSync(folder)) if (name !== 'web') rmSync(join(folder, name), { recursive: true });
const bundle = buildBundle();
for (const asset of ASSETS) bundle.writeTo(folder, asset);
console.log(`dist/lambdas/: ${entries.length} functions`);

const web = fileURLToPath(await buildWeb());
const files = readdirSync(web, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
console.log(`${relative(root, web)}/: ${files.length} files for browsers, ${Math.round(bytes / 1024)} kB`);

const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const client = fileURLToPath(new URL('../packages/client', import.meta.url));
execFileSync(process.execPath, [compiler, '-p', client], { stdio: 'inherit' });
console.log('packages/client/dist/: @site-search/client');
