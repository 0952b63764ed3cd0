import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { resources } from '../lambdas/routes.ts';
import { openApiDocument } from '../lambdas/runtime/openapi.ts';

/* Writes docs/openapi.json. With `--check`, exits with code 1 if the file differs from the routes. */

const file = new URL('../docs/openapi.json', import.meta.url);
const text = `${JSON.stringify(openApiDocument(resources), null, 2)}\n`;

if (process.argv.includes('--check')) {
  const present = await readFile(file, 'utf8').catch(() => undefined);
  if (present !== text) {
    console.error('docs/openapi.json differs from the routes: run `npm run openapi`.');
    process.exitCode = 1;
  }
} else {
  await mkdir(new URL('.', file), { recursive: true });
  await writeFile(file, text);
}
