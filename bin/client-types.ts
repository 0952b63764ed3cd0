import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { OpenApiDocument } from '../lambdas/runtime/openapi.ts';

type Generator = {
  readonly default: (document: object) => Promise<readonly unknown[]>;
  readonly astToString: (nodes: readonly unknown[]) => string;
};
type Operation = { readonly responses: Readonly<Record<string, { readonly content?: object }>> };

const HEAD = '/* Written by `npm run openapi` from the routes. */\n\n';
/** The generator is a package of the tests, with a compiler of its own. */
const { resolve } = createRequire(new URL('../test/client/package.json', import.meta.url));

/** The types of packages/client: parameters, bodies and successful answers of all operations. */
export async function clientTypes(document: OpenApiDocument): Promise<string> {
  const file = resolve('openapi-typescript').replace(/\.cjs$/, '.mjs');
  const { default: typesOf, astToString }: Generator = await import(pathToFileURL(file).href);
  const paths = Object.entries(document.paths).map(([path, { servers, ...operations }]) => {
    const shown = Object.entries(operations).map(([method, operation]) => [method, shownPart(operation as Operation)]);
    return [path, Object.fromEntries(shown)];
  });
  const { schemas } = document.components;
  const shown = JSON.stringify(
    { ...document, paths: Object.fromEntries(paths), components: { schemas } },
    withoutExamples,
  );
  return HEAD + compact(astToString(await typesOf(JSON.parse(shown))));
}

/** Errors of all operations have one type; what a description adds to the summary is in the API reference. */
function shownPart({ responses, ...operation }: Operation): object {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const shown = successes.map(([status, { content }]) => [status, { description: '', ...(content && { content }) }]);
  return { ...operation, description: undefined, responses: Object.fromEntries(shown) };
}

const withoutExamples = (key: string, value: unknown): unknown => (key === 'example' ? undefined : value);

/** Without fields that are never there, and with half the indentation. */
const compact = (types: string): string =>
  types
    .replaceAll(/^ +(?:\w+\?: never|\[name: string\]: unknown);\n/gm, '')
    .replaceAll(/^ +(?:headers|parameters): \{\n +\};\n/gm, '')
    .replaceAll(/^ *\/\*\* @description\s*\*\/\n/gm, '')
    .replaceAll(/\/\*\*\n +\* (@description [^\n]*)\n +\*\//g, '/** $1 */')
    .replaceAll(/^(?: {4})+/gm, (spaces) => spaces.slice(spaces.length / 2));
