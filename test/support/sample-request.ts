import * as z from 'zod';
import type { Route } from '../../lambdas/routes/route.ts';
import { namesInPath } from '../../lambdas/runtime/openapi.ts';

type Part = 'params' | 'query' | 'body';
/** A field of a request that names something: `siteId` in a path, `siteIds` in a body. */
export type IdField = { readonly part: Part; readonly name: string };
export type IdOf = (field: IdField) => string;

/** Values of all other fields, by name. A field without one is left out, which only an optional one can be. */
const VALUES: Readonly<Record<string, unknown>> = {
  baseUrl: 'https://sample.example/',
  frequency: 'daily',
  id: 1,
  jsonrpc: '2.0',
  method: 'ping',
  name: 'Sample',
  pages: [{ url: '/sample', content: 'A sample of text.', contentType: 'text' }],
  query: 'a sample',
  url: 'https://93.184.215.14/sample', // needs no look-up
  urls: ['https://sample.example/page'],
};

const ID = /Ids?$/;

/** Every part of a request that may contain an id. */
export function idFieldsOf(route: Route, path: string): readonly IdField[] {
  const inPath = namesInPath(path).map((name) => ({ part: 'params', name }) as const);
  const others = (['query', 'body'] as const).flatMap((part) =>
    namesIn(route[part]).flatMap((name) => (ID.test(name) ? [{ part, name }] : [])),
  );
  return [...inPath, ...others];
}

export type SampleRequest = { readonly method: string; readonly path: string; readonly body?: unknown };

/** A valid request of a route with these ids. Throws what is missing in `VALUES` if it is not valid. */
export async function sampleRequest(route: Route, path: string, idOf: IdOf): Promise<SampleRequest> {
  const fieldsOf = async (part: 'query' | 'body'): Promise<Readonly<Record<string, unknown>>> => {
    const fields = Object.fromEntries(namesIn(route[part]).flatMap((name) => sampleOf({ part, name }, idOf)));
    const { error } = (await route[part]?.safeParseAsync(fields)) ?? {};
    if (error) throw new Error(`no sample of the ${part} of ${path}: ${z.prettifyError(error)}`);
    return fields;
  };
  const query = new URLSearchParams((await fieldsOf('query')) as Record<string, string>);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idOf({ part: 'params', name }));
  return {
    method: route.method.toUpperCase(),
    path: `/api${filled}${query.size > 0 ? `?${query}` : ''}`,
    ...(route.body && { body: await fieldsOf('body') }),
  };
}

function sampleOf(field: IdField, idOf: IdOf): readonly (readonly [string, unknown])[] {
  const { name } = field;
  if (ID.test(name)) return [[name, name.endsWith('Ids') ? [idOf(field)] : idOf(field)]];
  return name in VALUES ? [[name, VALUES[name]]] : [];
}

/** The names of the fields that a schema of an object knows. */
function namesIn(schema: z.ZodType | undefined): readonly string[] {
  if (!schema) return [];
  const { $defs = {}, ...written } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const resolved = (one: z.core.JSONSchema.BaseSchema = {}) => $defs[one.$ref?.replace('#/$defs/', '') ?? ''] ?? one;
  const { properties, anyOf: [first] = [] } = resolved(written);
  return Object.keys(properties ?? resolved(first).properties ?? {});
}
