import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ASSETS, buildBundle } from '../lib/bundle.ts';
import { entries } from '../lib/entries.ts';

/*
 * Writes the deployed code to `dist/`: an .mjs per endpoint and worker in `dist/lambdas/`, and shared files; and the
 * modules of the client to `packages/client/dist/`.
 */

const folder = fileURLToPath(new URL('../dist', import.meta.url));
rmSync(folder, { recursive: true, force: true });
const bundle = buildBundle();
for (const asset of ASSETS) bundle.writeTo(folder, asset);
console.log(`dist/lambdas/: ${entries.length} functions`);

const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const client = fileURLToPath(new URL('../packages/client', import.meta.url));
execFileSync(process.execPath, [compiler, '-p', client], { stdio: 'inherit' });
console.log('packages/client/dist/: @site-search/client');
