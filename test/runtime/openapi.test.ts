import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import * as z from 'zod';
import { examples, tags } from '../../lambdas/routes/examples.ts';
import type { Route } from '../../lambdas/routes/route.ts';
import { resources, routes } from '../../lambdas/routes.ts';
import { HTTP_STATUS } from '../../lambdas/runtime/http-errors.ts';
import { type Operation, openApiDocument } from '../../lambdas/runtime/openapi.ts';

const document = openApiDocument(resources, { tags, examples });
const text = `${JSON.stringify(document, null, 2)}\n`;
const table = Object.entries<Route>(routes);

const operations = Object.entries(document.paths).flatMap(([path, { servers, ...methods }]) =>
  Object.entries<Operation>(methods).map(([method, operation]) => ({
    path,
    method,
    surface: servers?.[0]?.url,
    operation,
  })),
);
const byId = new Map(operations.map((entry) => [entry.operation.operationId, entry]));
const operationOf = (id: string): Operation => {
  const entry = byId.get(id);
  if (!entry) throw new Error(`no operation ${id}`);
  return entry.operation;
};

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(text))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it.each([
    ['openapi.json', undefined],
    ['openapi-api.json', '/api'],
    ['openapi-v1.json', '/v1'],
  ] as const)('is stored in docs/%s, with the operations of %s', async (name, surface) => {
    const stored = readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
    const written = openApiDocument(resources, { tags, examples, ...(surface && { surface }) });
    expect(JSON.parse(stored)).toEqual(JSON.parse(JSON.stringify(written)));
    expect(stored === `${JSON.stringify(written, null, 2)}\n`).toBe(true); // also order and layout
    expect(await new Validator().validate(JSON.parse(stored))).toEqual({ valid: true });
  });

  it('is divided into one document for each surface', () => {
    const pathsOf = (surface: '/api' | '/v1') => {
      const { servers, paths } = openApiDocument(resources, { surface });
      expect(servers.map(({ url }) => url)).toEqual([surface]);
      return Object.keys(paths);
    };
    const [api, visitors] = [pathsOf('/api'), pathsOf('/v1')];
    expect(visitors.every((path) => path.startsWith('/public/'))).toBe(true);
    expect([...api, ...visitors].toSorted()).toEqual(Object.keys(document.paths).toSorted());
  });

  it('is reproducible, and names no host', () => {
    expect(JSON.stringify(openApiDocument(resources, { tags, examples }), null, 2)).toBe(text.trimEnd());
    const hosts = [...text.matchAll(/https?:\/\/([a-z0-9.-]+)/gi)].map(([, host]) => host);
    expect(new Set(hosts)).toEqual(new Set(['www.example.com', 'other.example']));
  });

  it('refers to all of its components and to no others', () => {
    const referred = new Set([...text.matchAll(/"\$ref": "#\/components\/([^"]+)"/g)].map(([, name]) => name));
    const { securitySchemes, ...kinds } = document.components;
    const present = Object.entries(kinds).flatMap(([kind, all]) => Object.keys(all).map((name) => `${kind}/${name}`));
    expect([...referred].toSorted()).toEqual(present.toSorted());
    expect(Object.keys(securitySchemes ?? {})).toEqual(['apiKey']);
  });

  it('has every path of every route under its method and surface, with unique ids', () => {
    expect(byId.size).toBe(operations.length);
    for (const [name, route] of table) {
      expect(byId.get(name)).toMatchObject({ path: route.paths[0], method: route.method });
      for (const path of route.paths) expect(document.paths[path]).toHaveProperty(route.method);
    }
    expect(operations).toHaveLength(table.flatMap(([, { paths }]) => paths).length);
  });

  it('names the surface of each path', () => {
    for (const { path, surface } of operations) expect(surface).toBe(path.startsWith('/public/') ? '/v1' : '/api');
  });

  it('has the organisation as a parameter only in the second path family', () => {
    const names = (id: string) => operationOf(id).parameters?.map(({ name }) => name);
    expect(names('get-site')).toEqual(['siteId']);
    expect(names('get-site-in-organisation')).toEqual(['orgId', 'siteId']);
    expect(operationOf('list-sites').parameters).toBeUndefined();
  });

  it('refuses two different schemas with the same id', () => {
    const twice = (schema: z.ZodType) => ({ ...routes['list-groups'], response: schema.meta({ id: 'Twice' }) });
    const contradictory = {
      a: { first: twice(z.object({})), second: { ...twice(z.string()), paths: ['/b'] as const } },
    };
    expect(() => openApiDocument(contradictory)).toThrow('Two different schemas have the id Twice');
  });
});

describe('an operation', () => {
  it('requires a key on /api, and accepts one on /v1', () => {
    for (const { surface, operation } of operations) {
      expect(operation.security).toEqual(surface === '/api' ? [{ apiKey: [] }] : [{}, { apiKey: [] }]);
    }
  });

  it('has its own status, 429 and 500', () => {
    for (const [name, route] of table) {
      const { responses } = operationOf(name);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining([String(route.status), '429', '500']));
    }
  });

  it.each([
    ['create-site', ['201', '400', '401', '402', '413', '415', '429', '500', '503']],
    ['delete-site', ['200', '400', '401', '403', '404', '429', '500', '503']],
    ['start-crawl', ['201', '400', '401', '404', '409', '413', '415', '429', '500', '503']],
    ['search-site', ['200', '400', '403', '404', '429', '500', '503']],
    ['create-group', ['201', '400', '401', '402', '404', '413', '415', '429', '500', '503']],
    ['approve-review', ['200', '400', '401', '403', '404', '409', '429', '500', '503']],
  ])('%s has the statuses of the contract', (name, statuses) => {
    expect(Object.keys(operationOf(name).responses)).toEqual(statuses);
  });

  it('has a required body unless the schema is optional', () => {
    expect(operationOf('create-site').requestBody?.required).toBe(true);
    expect(operationOf('start-crawl').requestBody?.required).toBe(false);
    expect(operationOf('get-site').requestBody).toBeUndefined();
  });

  it('has numeric query parameters with their bounds, although they arrive as texts', () => {
    expect(operationOf('search-site').parameters).toContainEqual({
      name: 'limit',
      in: 'query',
      required: false,
      description: 'results, at most',
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
      example: 3,
    });
    const required = operationOf('search-site').parameters?.filter((parameter) => parameter.required);
    expect(required?.map(({ name }) => name)).toEqual(['siteId', 'q']);
  });

  it('has filters as JSON texts, and comma-separated lists', () => {
    const parameters = operationOf('search-site').parameters;
    expect(parameters).toContainEqual(
      expect.objectContaining({
        name: 'filters',
        schema: expect.objectContaining({ contentMediaType: 'application/json' }),
      }),
    );
    expect(parameters).toContainEqual(expect.objectContaining({ name: 'facets', style: 'form', explode: false }));
  });

  it('has a response schema that is the same as input and as output, except for new fields', () => {
    const closed = new Set(['required', 'additionalProperties']);
    const written = (schema: z.ZodType, io: 'input' | 'output') =>
      JSON.stringify(z.toJSONSchema(schema, { io }), (keyword, value) => (closed.has(keyword) ? undefined : value));
    for (const [, { response }] of table) {
      if (response) expect(written(response, 'input')).toBe(written(response, 'output'));
    }
  });

  it('streams where its route does', () => {
    const streaming = operations.filter(({ operation }) => JSON.stringify(operation).includes('text/event-stream'));
    expect(streaming.map(({ operation }) => operation.operationId)).toEqual(['chat-with-site', 'chat-with-group']);
  });
});

describe('the table of statuses', () => {
  it('has only error statuses, as in the contract', () => {
    for (const status of Object.values(HTTP_STATUS)) expect(status).toBeGreaterThanOrEqual(400);
    expect(HTTP_STATUS).toMatchObject({ plan_required: 403, plan_limit: 402, crawl_running: 409 });
    expect(HTTP_STATUS).toMatchObject({ address_unverified: 503, review_not_pending: 400, urls_unavailable: 400 });
  });
});
