import { readFile, writeFile } from 'node:fs/promises';
import { examples, tags } from '../lambdas/routes/examples.ts';
import { resources } from '../lambdas/routes.ts';
import { openApiDocument } from '../lambdas/runtime/openapi.ts';
import { parameterPages, withParameterTable } from './guide-tables.ts';

/*
 * Writes docs/openapi.json and the tables of parameters in docs/guide/. With `--check`, writes nothing and exits with
 * code 1 if a file differs from the routes.
 */

const textOf = (file: string): Promise<string> => readFile(new URL(`../docs/${file}`, import.meta.url), 'utf8');

const expected = new Map([
  ['openapi.json', `${JSON.stringify(openApiDocument(resources, { tags, examples }), null, 2)}\n`],
]);
for (const page of parameterPages)
  expected.set(`guide/${page}`, withParameterTable(page, await textOf(`guide/${page}`)));

for (const [file, text] of expected) {
  if (!process.argv.includes('--check')) {
    await writeFile(new URL(`../docs/${file}`, import.meta.url), text);
  } else if ((await textOf(file).catch(() => undefined)) !== text) {
    console.error(`docs/${file} differs from the routes: run \`npm run openapi\`.`);
    process.exitCode = 1;
  }
}
