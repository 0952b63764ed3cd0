import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ASSETS, buildBundle } from '../lib/bundle.ts';
import { entries } from '../lib/entries.ts';

/* Writes the deployed code to `dist/`: an .mjs per endpoint and worker in `dist/lambdas/`, and shared files. */

const folder = fileURLToPath(new URL('../dist', import.meta.url));
rmSync(folder, { recursive: true, force: true });
const bundle = buildBundle();
for (const asset of ASSETS) bundle.writeTo(folder, asset);
console.log(`dist/lambdas/: ${entries.length} functions`);
