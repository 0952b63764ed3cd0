import * as fc from 'fast-check';
import * as z from 'zod';
import { naughtyString, naughtyValue } from './naughty.ts';

type Schema = { readonly [keyword: string]: unknown };

const MAX_DEPTH = 8;

/** Values of a schema, most of them nearly right: here and there a field is absent, replaced or added. */
export function valuesOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  const json = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))) as Schema;
  return arbitraryOf(json, (json.$defs ?? {}) as Readonly<Record<string, Schema>>, 0);
}

type Definitions = Readonly<Record<string, Schema>>;

function arbitraryOf(schema: Schema, definitions: Definitions, depth: number): fc.Arbitrary<unknown> {
  if (depth > MAX_DEPTH) return naughtyValue;
  return fc.oneof(
    { weight: 12, arbitrary: fittingOf(schema, definitions, depth + 1) },
    { weight: 1, arbitrary: naughtyValue },
  );
}

function fittingOf(schema: Schema, definitions: Definitions, depth: number): fc.Arbitrary<unknown> {
  const inner = (part: unknown) => arbitraryOf((part ?? {}) as Schema, definitions, depth);
  const { $ref, anyOf, oneOf, allOf, type } = schema;
  if (typeof $ref === 'string') return inner(definitions[$ref.split('/').at(-1) ?? '']);
  const choices = anyOf ?? oneOf ?? allOf;
  if (Array.isArray(choices) && choices.length > 0) return fc.oneof(...choices.map(inner));
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (type === 'object') return objectOf(schema, inner);
  if (type === 'array') return fc.array(inner(schema.items), { minLength: Number(schema.minItems ?? 0), maxLength: 4 });
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer' || type === 'number') return numberOf(schema);
  return type === 'string' ? textOf(schema) : naughtyValue;
}

function objectOf(schema: Schema, inner: (part: unknown) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>);
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const known = fc.tuple(
    ...properties.map(([name, part]) => {
      const freq = required.has(name) ? 30 : 2;
      const value = inner(part).map((found): readonly [string, unknown] => [name, found]);
      return fc.option(value, { freq, nil: undefined });
    }),
  );
  const isOpen = typeof schema.additionalProperties === 'object' || properties.length === 0;
  const name = fc.oneof(naughtyString, fc.constantFrom('tags', 'language', 'url', 'price', 'publishedAt', 'a'));
  const others = fc.array(fc.tuple(name, inner(isOpen ? schema.additionalProperties : {})), {
    maxLength: isOpen ? 3 : 1,
    size: isOpen ? 'small' : 'xsmall',
  });
  return fc.tuple(known, others, fc.integer({ min: 0, max: 9 })).map(([fields, more, luck]) => {
    const kept = fields.filter((field) => field !== undefined);
    return Object.fromEntries([...kept, ...(isOpen || luck === 0 ? more : [])]);
  });
}

function numberOf({ minimum, maximum, exclusiveMinimum, type }: Schema): fc.Arbitrary<number> {
  const low = Number(minimum ?? exclusiveMinimum ?? -10);
  const high = Math.min(Number(maximum ?? low + 1000), Number.MAX_SAFE_INTEGER);
  const edges = fc.constantFrom(low, high, low - 1, high + 1);
  const within =
    type === 'integer' ? fc.integer({ min: low, max: high }) : fc.double({ min: low, max: high, noNaN: true });
  return fc.oneof({ weight: 4, arbitrary: within }, edges);
}

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  uuid: ['01890000-0000-7000-8000-000000000000'],
  date: ['2026-01-31', '0001-01-01', '9999-12-31'],
  'date-time': ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00+14:00'],
  uri: ['https://docs.example/a', 'http://127.0.0.1:9/', 'https://docs.example/?q=%ff'],
};
const USUAL = ['a', 'docs', '/a', 'https://docs.example/a', 'http://127.0.0.1:9/b', 'en', '7d', '2026-01', 'tags', '*'];

function textOf({ format, contentMediaType }: Schema): fc.Arbitrary<string> {
  if (contentMediaType === 'application/json')
    return fc.oneof(
      naughtyValue.map((value) => JSON.stringify(value)),
      FILTERS,
    );
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...(FORMATS[String(format)] ?? USUAL)) },
    { weight: 1, arbitrary: naughtyString },
  );
}

const FILTERS = fc
  .dictionary(fc.constantFrom('tags', 'language', 'url', 'publishedAt', 'siteId', 'price'), naughtyValue, {
    maxKeys: 3,
  })
  .map((filters) => JSON.stringify(filters));
