import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildBundle, entries } from '../lib/bundle.ts';

/* Writes the code that is deployed to `dist/`: an .mjs per endpoint and worker in `dist/lambdas/`, and shared files. */

const folder = fileURLToPath(new URL('../dist', import.meta.url));
rmSync(folder, { recursive: true, force: true });
buildBundle().writeTo(folder);
console.log(`dist/lambdas/: ${entries.length} functions`);
