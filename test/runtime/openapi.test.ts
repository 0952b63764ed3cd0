import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import * as z from 'zod';
import { examples, tags } from '../../lambdas/routes/examples.ts';
import { pathsOf, type Route } from '../../lambdas/routes/route.ts';
import { resources, routes } from '../../lambdas/routes.ts';
import { HTTP_STATUS } from '../../lambdas/runtime/http-errors.ts';
import { type OpenApiDocument, type Operation, openApiDocument } from '../../lambdas/runtime/openapi.ts';
import { type Surface, surfaceDocument } from '../../lambdas/runtime/openapi-surface.ts';

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

function referredBy(part: OpenApiDocument): readonly string[] {
  const references = JSON.stringify(part).matchAll(/"\$ref":"#\/components\/([^"]+)"/g);
  return [...new Set([...references].map(([, name = '']) => name))].toSorted();
}

function componentsOf({ components: { securitySchemes: _, ...kinds } }: OpenApiDocument): readonly string[] {
  return Object.entries(kinds)
    .flatMap(([kind, all]) => Object.keys(all).map((name) => `${kind}/${name}`))
    .toSorted();
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(text))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('is stored in docs/openapi.json', () => {
    const stored = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
    const written = openApiDocument(resources, { tags, examples });
    expect(JSON.parse(stored)).toEqual(JSON.parse(JSON.stringify(written)));
    expect(stored === `${JSON.stringify(written, null, 2)}\n`).toBe(true); // also order and layout
  });

  it('is divided into one valid document for each surface, with the components that it refers to', async () => {
    const pathsOf = async (surface: Surface) => {
      const part = surfaceDocument(document, surface);
      expect(await new Validator().validate(JSON.parse(JSON.stringify(part)))).toEqual({ valid: true });
      expect(part.servers.map(({ url }) => url)).toEqual([surface]);
      expect(componentsOf(part)).toEqual(referredBy(part));
      return Object.keys(part.paths);
    };
    const [api, visitors] = [await pathsOf('/api'), await pathsOf('/v1')];
    expect(visitors.every((path) => path.startsWith('/public/'))).toBe(true);
    expect([...api, ...visitors].toSorted()).toEqual(Object.keys(document.paths).toSorted());
  });

  it('is reproducible, and names no host', () => {
    expect(JSON.stringify(openApiDocument(resources, { tags, examples }), null, 2)).toBe(text.trimEnd());
    const hosts = [...text.matchAll(/https?:\/\/([a-z0-9.-]+)/gi)].map(([, host]) => host);
    expect(new Set(hosts)).toEqual(new Set(['www.example.com', 'other.example']));
  });

  it('refers to all of its components and to no others', () => {
    expect(componentsOf(document)).toEqual(referredBy(document));
    expect(Object.keys(document.components.securitySchemes ?? {})).toEqual(['apiKey']);
  });

  it('has every path of every route under its method and surface, with unique ids', () => {
    expect(byId.size).toBe(operations.length);
    for (const [name, route] of table) {
      expect(byId.get(name)).toMatchObject({ path: route.paths[0], method: route.method });
      for (const path of pathsOf(route)) expect(document.paths[path]).toHaveProperty(route.method);
    }
    expect(operations).toHaveLength(table.flatMap(([, route]) => pathsOf(route)).length);
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

/** Returns every object within a value, with its path. */
function objectsIn(value: unknown, path = ''): readonly (readonly [string, Readonly<Record<string, unknown>>])[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, part]) => objectsIn(part, `${path}/${name}`));
  return [[path, value as Readonly<Record<string, unknown>>], ...inner];
}

describe('the OpenAPI document, for generators of clients', () => {
  const schemas: Readonly<Record<string, unknown>> = document.components.schemas ?? {};
  const objects = objectsIn({ paths: document.paths, components: document.components });
  const where = (isFault: (part: Readonly<Record<string, unknown>>) => boolean) =>
    objects.filter(([, part]) => isFault(part)).map(([path]) => path);

  it('has a schema for the items of every array, also of a tuple', () => {
    expect(where(({ type, items }) => type === 'array' && typeof items !== 'object')).toEqual([]);
  });

  it('refuses a tuple of different items', () => {
    const response = z.object({ pair: z.tuple([z.string(), z.int()]) });
    const routes = { a: { first: { ...resources.groups['list-groups'], response } } };
    expect(() => openApiDocument(routes)).toThrow('The items of a tuple differ');
  });

  it('has no component that is named after the constructor of another, or after a field of its own', () => {
    const names = Object.keys(schemas);
    expect(names.filter((name) => name.startsWith('New') && names.includes(name.slice(3)))).toEqual([]);
    const fieldsOf = (name: string) => Object.keys(Object(schemas[name]).properties ?? {});
    expect(names.filter((name) => fieldsOf(name).some((field) => field.toLowerCase() === name.toLowerCase()))).toEqual(
      [],
    );
  });

  it('has no description that ends a comment of another language', () => {
    expect(where(({ description }) => String(description).includes('*/'))).toEqual([]);
  });

  it('has components for all bodies and answers, the same ones in both path families', () => {
    const isReference = (content: unknown) => '$ref' in Object(Object(content).schema);
    const inline = operations.flatMap(({ operation: { operationId, requestBody, responses } }) =>
      [requestBody, ...Object.values(responses)].some(
        (part) => part && 'content' in part && !Object.values(part.content ?? {}).every(isReference),
      )
        ? [operationId]
        : [],
    );
    expect(inline).toEqual([]);
    const contract = ['CreateSiteRequest', 'UpdateSiteRequest', 'PageContent', 'CrawlerConfig', 'PublicAccess'];
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(contract));
  });

  it('has no default in a component, which would make the field a required one', () => {
    expect(where(({ type, default: value }) => typeof type === 'string' && value !== undefined)).toEqual(
      expect.not.arrayContaining([expect.stringContaining('/components/')]),
    );
    expect(JSON.stringify(schemas.SearchRequest)).toContain('results, at most; by default `10`');
    expect(JSON.stringify(schemas.PageContent)).toContain('what `content` is; by default `html`');
  });

  it('has unions without a constant, without an alternative that accepts anything, and not within one another', () => {
    const alternatives = objects.flatMap(([path, { anyOf, oneOf }]) =>
      [anyOf, oneOf].flatMap((union) =>
        Array.isArray(union) ? union.map((part) => [path, Object(part)] as const) : [],
      ),
    );
    const isFaulty = (part: object) =>
      Object.keys(part).length === 0 || ['const', 'anyOf', 'oneOf'].some((word) => word in part);
    expect(alternatives.filter(([, part]) => isFaulty(part)).map(([path]) => path)).toEqual([]);
    expect(schemas.IngestRequest).toHaveProperty('properties.pages.items', {
      $ref: '#/components/schemas/PageContent',
    });
  });

  it('has one schema for the two forms of a chat, so that the answer of a client is typed', () => {
    const { content } = Object(operationOf('chat-with-site').responses[200]);
    const schema = { $ref: '#/components/schemas/ChatResponse' };
    expect(content).toMatchObject({ 'application/json': { schema }, 'text/event-stream': { schema } });
  });

  it('has a title of its own for each surface, after which generators name packages', () => {
    const parts = [document, surfaceDocument(document, '/api'), surfaceDocument(document, '/v1')];
    expect(parts.map(({ info }) => info.title)).toEqual(['Site search', 'Site search API', 'Site search for visitors']);
  });

  it('has a description of every operation', () => {
    const described = (id: string) => operationOf(id).description;
    expect(operations.filter(({ operation }) => !operation.description)).toEqual([]);
    expect(described('get-site')).toBe('Requires a key.');
    expect(described('ingest-pages')).toBe('Requires a key and at least the plan pro.');
    expect(described('delete-site')).toBe('Requires a key with at least the role owner.');
    expect(described('search-group')).toContain('`publicAccess` of the group allows search');
  });
});

describe('the table of statuses', () => {
  it('has only error statuses, as in the contract', () => {
    for (const status of Object.values(HTTP_STATUS)) expect(status).toBeGreaterThanOrEqual(400);
    expect(HTTP_STATUS).toMatchObject({ plan_required: 403, plan_limit: 402, crawl_running: 409 });
    expect(HTTP_STATUS).toMatchObject({ address_unverified: 503, review_not_pending: 400, urls_unavailable: 400 });
  });
});
