import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { examples, tags } from '../../lambdas/routes/examples.ts';
import type { Route } from '../../lambdas/routes/route.ts';
import { type OperationName, resources, routes } from '../../lambdas/routes.ts';
import { type Operation, openApiDocument } from '../../lambdas/runtime/openapi.ts';

const document = openApiDocument(resources, { tags, examples });
const Properties = z.record(z.string(), z.object({ description: z.string().optional() }));

/** Returns the properties of all schemas within a value that lack a description. */
function undescribed(value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { properties } = value as { readonly properties?: unknown };
  const own = Object.entries(Properties.safeParse(properties).data ?? {}).flatMap(([name, { description }]) =>
    description === undefined ? [`${path}.${name}`] : [],
  );
  const schemas = Object.entries(value).filter(([keyword]) => keyword !== 'example');
  return [...own, ...schemas.flatMap(([keyword, part]) => undescribed(part, `${path}/${keyword}`))];
}

const operations = Object.values(document.paths).flatMap(({ servers, ...methods }) =>
  Object.values<Operation>(methods),
);
const table = Object.entries<Route>(routes);

describe('the descriptions of the OpenAPI document', () => {
  it('are there for every property of every schema', () => {
    expect(undescribed(document.components.schemas, 'schemas')).toEqual([]);
    expect(undescribed(document.paths, 'paths')).toEqual([]);
  });

  it('are there for every parameter and tag', () => {
    const parameters = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters.filter(({ description }) => !description).map(({ name }) => `${operationId} ${name}`),
    );
    expect(parameters).toEqual([]);
    expect(document.tags.map(({ name, description }) => [name, description])).toEqual(Object.entries(tags));
  });
});

describe('the examples of the OpenAPI document', () => {
  it('are there for every body, every answer and every parameter that is required', () => {
    const missing = operations.flatMap(({ operationId, parameters = [], requestBody, responses }) => {
      const bodies = [requestBody, ...Object.values(responses)].flatMap((part) =>
        part && 'content' in part ? Object.values(part.content ?? {}) : [],
      );
      const required = parameters.filter((parameter) => parameter.required);
      return [...bodies, ...required].some((part) => !('example' in part)) ? [operationId] : [];
    });
    expect(missing).toEqual([]);
  });

  it.each(table)('%s: pass the schemas of the route', async (name, { query, body, response }) => {
    const example = examples[name as OperationName];
    const inUrl = Object.entries(example.query ?? {}).map(([field, value]) => [field, String(value)]);
    expect(Object.keys(example.query ?? {}).filter((field) => !(field in (query?.shape ?? {})))).toEqual([]);
    await query?.parseAsync(Object.fromEntries(inUrl));
    if (body) await body.parseAsync(example.body);
    expect(example.response).toEqual(await response?.parseAsync(example.response));
  });
});
