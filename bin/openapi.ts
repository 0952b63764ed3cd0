import { readFile, writeFile } from 'node:fs/promises';
import { examples, tags } from '../lambdas/routes/examples.ts';
import { resources } from '../lambdas/routes.ts';
import { openApiDocument } from '../lambdas/runtime/openapi.ts';

/* Writes docs/openapi.json. With `--check`, exits with code 1 if the file differs from the routes. */

const file = new URL('../docs/openapi.json', import.meta.url);
const text = `${JSON.stringify(openApiDocument(resources, { tags, examples }), null, 2)}\n`;
if (!process.argv.includes('--check')) {
  await writeFile(file, text);
} else if ((await readFile(file, 'utf8').catch(() => undefined)) !== text) {
  console.error('docs/openapi.json differs from the routes: run `npm run openapi`.');
  process.exitCode = 1;
}
