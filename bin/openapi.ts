import { readFile, writeFile } from 'node:fs/promises';
import { examples, tags } from '../lambdas/routes/examples.ts';
import { resources } from '../lambdas/routes.ts';
import { openApiDocument } from '../lambdas/runtime/openapi.ts';

/*
 * Writes the OpenAPI documents to docs/: of the whole API, of `/api` and of `/v1`. With `--check`, exits with code 1 if
 * a file differs from the routes.
 */

const documents = [
  ['openapi.json', undefined],
  ['openapi-api.json', '/api'],
  ['openapi-v1.json', '/v1'],
] as const;

for (const [name, surface] of documents) {
  const file = new URL(`../docs/${name}`, import.meta.url);
  const document = openApiDocument(resources, { tags, examples, ...(surface && { surface }) });
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (!process.argv.includes('--check')) {
    await writeFile(file, text);
  } else if ((await readFile(file, 'utf8').catch(() => undefined)) !== text) {
    console.error(`docs/${name} differs from the routes: run \`npm run openapi\`.`);
    process.exitCode = 1;
  }
}
