import { readFile, writeFile } from 'node:fs/promises';
import { examples, tags } from '../lambdas/routes/examples.ts';
import { resources } from '../lambdas/routes.ts';
import { openApiDocument } from '../lambdas/runtime/openapi.ts';
import { clientTypes } from './client-types.ts';
import { parameterPages, withParameterTable } from './guide-tables.ts';

/*
 * Writes docs/openapi.json, the types of packages/client and the tables of parameters in docs/guide/. With `--check`,
 * writes nothing and exits with code 1 if a file differs from the routes.
 */

const textOf = (file: string): Promise<string> => readFile(new URL(`../${file}`, import.meta.url), 'utf8');

const document = openApiDocument(resources, { tags, examples });
const expected = new Map([
  ['docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`],
  ['packages/client/src/openapi.ts', await clientTypes(document)],
]);
for (const page of parameterPages)
  expected.set(`docs/guide/${page}`, withParameterTable(page, await textOf(`docs/guide/${page}`)));

for (const [file, text] of expected) {
  if (!process.argv.includes('--check')) {
    await writeFile(new URL(`../${file}`, import.meta.url), text);
  } else if ((await textOf(file).catch(() => undefined)) !== text) {
    console.error(`${file} differs from the routes: run \`npm run openapi\`.`);
    process.exitCode = 1;
  }
}
