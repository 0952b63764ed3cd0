import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildBundle, entries } from '../lib/bundle.ts';

/* Writes what is deployed into `dist/`: one .mjs for each endpoint and worker under `dist/lambdas/`, and what they share. */

const folder = fileURLToPath(new URL('../dist', import.meta.url));
rmSync(folder, { recursive: true, force: true });
buildBundle().writeTo(folder);
console.log(`dist/lambdas/: ${entries.length} functions`);
