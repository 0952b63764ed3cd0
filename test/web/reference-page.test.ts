import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { tags } from '../../lambdas/routes/examples.ts';
import type { Route } from '../../lambdas/routes/route.ts';
import { pathsOf, surfaceOf } from '../../lambdas/routes/route.ts';
import { resources, routes } from '../../lambdas/routes.ts';
import { openApiDocument } from '../../lambdas/runtime/openapi.ts';

type Resolve = (value: unknown) => Readonly<Record<string, unknown>>;
type Operation = {
  readonly operationId: string;
  readonly tag: string;
  readonly method: string;
  readonly path: string;
  readonly aliases: readonly { readonly operationId: string; readonly path: string }[];
  readonly isPublic: boolean;
  readonly parameters: readonly {
    readonly name: string;
    readonly location: string;
    readonly isRequired: boolean;
    readonly schema: unknown;
  }[];
  readonly body: { readonly isRequired: boolean; readonly schema: unknown } | undefined;
  readonly successes: readonly { readonly contents: readonly { readonly schema: unknown }[] }[];
};
type Row = {
  readonly path: string;
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly case?: string;
};

const folder = join(import.meta.dirname, '../../web/reference');
const names = await readdir(folder);
const files = new Map(
  await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
);
const all = [...files.values()].join('\n');
const html = files.get('index.html') ?? '';

/** Loads a module of the browser, which has no types here. */
const load = async (name: string) => import(join(folder, name));
const { operationsOf, resolverOf, tagDescriptions } = await load('api-document.js');
const { schemaRows } = await load('schema-rows.js');
const { typeWords, boundWords } = await load('schema-words.js');
const { sampleValue } = await load('sample-value.js');
const { curlLine } = await load('curl-line.js');

const document = JSON.parse(JSON.stringify(openApiDocument(resources, { tags })));
const resolve: Resolve = resolverOf(document);
const operations: readonly Operation[] = operationsOf(document);
const operationOf = (operationId: string) => {
  const found = operations.find((operation) => operation.operationId === operationId);
  if (!found) throw new Error(`no operation ${operationId}`);
  return found;
};
const routesById: Readonly<Record<string, Route>> = routes;

/** An example, and the namespace of icons. */
const ADDRESSES = new Set(['https://example.com/', 'http://www.w3.org/2000/svg']);

describe('the reference page', () => {
  it('has no inline script, style or handler, as its content security policy demands', () => {
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|javascript:/i);
    expect(html.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="reference.js">']);
  });

  it('refers only to files that exist', async () => {
    const inHtml = [...html.matchAll(/(?:src|href)="(\w[^"/]+)"/g)].map((match) => match[1]);
    const inCode = [...all.matchAll(/(?:from '\.\/|url\(")([^'"]+)['"]/g)].map((match) => match[1] ?? '');
    expect(inHtml).toContain('reference.css');
    expect(inCode).toContain('operation-view.js');
    expect([...inHtml, ...inCode].filter((name = '') => !files.has(name))).toEqual([]);
  });

  it('never inserts text as markup or runs it as code', () => {
    expect(all).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|document\.write|\beval\(|new Function/,
    );
  });

  it('loads nothing from another origin', () => {
    const addresses = all.match(/https?:\/\/[^\s"')]+/g) ?? [];
    expect(addresses.filter((address) => !ADDRESSES.has(address))).toEqual([]);
  });
});

describe('the content of the reference page', () => {
  it('has every endpoint once, with all of its paths', () => {
    const shown = operations.map(({ operationId, path, aliases }) => [
      operationId,
      [path, ...aliases.map((alias) => alias.path)],
    ]);
    const declared = Object.entries(routesById).map(([name, route]) => [
      name,
      pathsOf(route).map((path) => surfaceOf(route) + path),
    ]);
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(declared));
    expect(shown).toHaveLength(declared.length);
  });

  it('says of each group of operations what it is for', () => {
    const described: ReadonlyMap<string, string> = tagDescriptions(document);
    const groups = new Set(operations.map(({ tag }) => tag));
    expect([...groups].filter((tag) => !described.get(tag))).toEqual([]);
  });

  it('shows which operations are public', () => {
    for (const { operationId, isPublic } of operations) {
      const route = routesById[operationId];
      expect({ operationId, isPublic }).toEqual({
        operationId,
        isPublic: route !== undefined && 'feature' in route.access,
      });
    }
  });

  it('shows the nested fields of a response', () => {
    const { rows } = schemaRows(operationOf('search-site').successes[0]?.contents[0]?.schema, resolve);
    const found = rows.find((row: Row) => row.path + row.name === 'results[].metadata.crawledAt');
    expect(found).toMatchObject({ type: 'string', isRequired: true });
  });

  it('distinguishes the cases of a union by their constant field', () => {
    const { rows } = schemaRows(operationOf('record-event').body?.schema, resolve);
    expect(rows.flatMap((row: Row) => row.case ?? [])).toEqual(['When `type` is `click`', 'When `type` is `feedback`']);
  });

  it.each([
    [{ $ref: '#/components/schemas/Site' }, 'Site'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Facet' } }, 'array of Facet'],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer or null'],
    [{ type: ['string', 'null'] }, 'string or null'],
    [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } }, 'array of (string or number)'],
    [{ type: 'string', format: 'uuid' }, 'string (uuid)'],
    [{}, 'any value'],
    [undefined, 'any value'],
  ])('names the type of %j', (schema, words) => {
    expect(typeWords(schema, resolve)).toBe(words);
  });

  it.each([
    [{ type: 'integer', minimum: 1, maximum: 1000, default: 10 }, ['1 to 1,000', 'default `10`']],
    [{ type: 'number', minimum: 0 }, ['at least 0']],
    [{ type: 'string', enum: ['a', 'b'], default: 'a' }, ['one of `a`, `b`', 'default `a`']],
    [
      { type: 'array', maxItems: 5, items: { type: 'string', minLength: 1 } },
      ['at most 5 items', 'each at least 1 character'],
    ],
    [
      { anyOf: [{ type: 'string', maxLength: 9 }, { type: 'null' }], default: null },
      ['at most 9 characters', 'default `null`'],
    ],
    [{ type: 'object', additionalProperties: false }, ['no other fields']],
  ])('names the bounds of %j', (schema, words) => {
    expect(boundWords(schema, resolve)).toEqual(words);
  });

  it('handles recursive schemas, circular references and dangling references', () => {
    const node = {
      type: 'object',
      properties: Object.fromEntries('abcde'.split('').map((name) => [name, { $ref: '#/n' }])),
    };
    const own: Resolve = resolverOf({
      n: node,
      a: { $ref: '#/b' },
      b: { $ref: '#/a' },
      u: { anyOf: [{ $ref: '#/u' }] },
      l: { type: 'array', items: { $ref: '#/l' } },
    });
    const { rows, isCut } = schemaRows({ $ref: '#/n' }, own);
    expect(rows.length).toBe(300);
    expect(isCut).toBe(true);
    expect(schemaRows({ $ref: '#/l' }, own)).toEqual({ rows: [], isCut: true });
    for (const $ref of ['#/a', '#/missing', '#/__proto__/x', 'https://example.com/', '#/u']) {
      expect(schemaRows({ $ref }, own)).toEqual({ rows: [], isCut: false });
      expect(typeof typeWords({ $ref }, own)).toBe('string');
      expect(() => sampleValue({ $ref }, own)).not.toThrow();
    }
  });

  it('handles a malformed document', () => {
    for (const odd of [
      {},
      { paths: 7 },
      { paths: { '/x': null, '/y': { get: 'z', put: { responses: [], parameters: [null] } } } },
    ]) {
      expect(() => operationsOf(odd)).not.toThrow();
    }
  });
});

describe('the curl commands', () => {
  const options = { origin: 'http://127.0.0.1:8787', withKey: false, resolve };

  /** The arguments that curl gets from a shell. */
  function argumentsOf(line: string, env: Readonly<Record<string, string>>): readonly string[] {
    const script = `curl() { printf '%s\\0' "$@"; }\n${line}`;
    return execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1);
  }

  it('send bodies and queries that the endpoints accept', () => {
    for (const { operationId, body, parameters } of operations) {
      const route = routesById[operationId];
      if (body)
        expect([operationId, route?.body?.safeParse(sampleValue(body.schema, resolve)).error]).toEqual([
          operationId,
          undefined,
        ]);
      const asked = parameters.filter(({ location, isRequired }) => location === 'query' && isRequired);
      const query = Object.fromEntries(
        asked.map(({ name, schema }) => [name, String(sampleValue(schema, resolve, name))]),
      );
      if (route?.query) expect([operationId, route.query.safeParse(query).error]).toEqual([operationId, undefined]);
    }
  });

  it('have shell variables for values that only the caller knows', () => {
    const line = curlLine(operationOf('delete-pages'), options);
    expect(argumentsOf(line, { SITE_ID: 's1', API_KEY: 'ssk_1' })).toEqual([
      '-X',
      'DELETE',
      'http://127.0.0.1:8787/api/sites/s1/pages',
      '-H',
      'Authorization: Bearer ssk_1',
      '-H',
      'Content-Type: application/json',
      '-d',
      '{"urls":["https://example.com/"]}',
    ]);
  });

  it('send a key with a public operation only if the tab has one', () => {
    const operation = operationOf('search-site');
    expect(curlLine(operation, options)).not.toContain('API_KEY');
    expect(curlLine(operation, { ...options, withKey: true })).toContain('-H "Authorization: Bearer $API_KEY"');
  });

  it('run no code from the document', () => {
    const trap = '`exit 9`$(exit 9)"\'\\';
    const operation = {
      method: 'post',
      path: `/x${trap}`,
      parameters: [{ name: trap, location: 'query', isRequired: true, schema: { const: trap } }],
      body: { isRequired: true, schema: { const: trap } },
      isPublic: true,
    };
    const seen = argumentsOf(curlLine(operation, options), {});
    expect(seen[2]?.startsWith(`http://127.0.0.1:8787/x${trap}?`)).toBe(true);
    expect(JSON.parse(seen.at(-1) ?? '')).toBe(trap);
  });
});
