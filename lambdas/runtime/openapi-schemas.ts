import * as z from 'zod';

export type JsonSchema = { readonly [keyword: string]: unknown };

export type SchemaWriter = {
  /** Writes JSON Schema; a schema with an id becomes a reference to its component. */
  readonly write: (schema: z.ZodType) => JsonSchema;
  readonly components: () => Readonly<Record<string, JsonSchema>>;
};

/** Drops what zod adds: the bounds of safe integers, and the pattern of a `format`. */
function dropRedundant({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
}

const Wrapped = z.object({
  properties: z.object({ it: z.record(z.string(), z.unknown()) }),
  $defs: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
});

/** Writes every schema as an input: settings are input and output under one name, and responses may gain fields. */
export function schemaWriter(): SchemaWriter {
  const components = new Map<string, JsonSchema>();
  const written = new Map<z.ZodType, JsonSchema>(); // errors recur in every operation
  const add = (name: string, definition: JsonSchema): void => {
    const known = components.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(definition))
      throw new Error(`Two different schemas have the id ${name}`);
    components.set(name, definition);
  };
  const write = (schema: z.ZodType): JsonSchema => {
    const known = written.get(schema);
    if (known) return known;
    // Wrapped: zod writes the outermost schema inline even if it has an id.
    const json = JSON.stringify(z.toJSONSchema(z.object({ it: schema }), { io: 'input', override: dropRedundant }));
    const { properties, $defs } = Wrapped.parse(JSON.parse(json.replaceAll('"#/$defs/', `"${COMPONENTS}`), simplified));
    for (const [name, definition] of Object.entries($defs)) add(name, withoutDefaults(definition));
    written.set(schema, properties.it);
    return properties.it;
  };
  return { write, components: () => sortedByName(components) };
}

const COMPONENTS = '#/components/schemas/';

/** A value of JSON Schema in the form that most generators of clients understand. Used as a reviver of `JSON.parse`. */
function simplified(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { const: only, prefixItems, anyOf, ...rest } = value as JsonSchema;
  if (typeof only === 'string') return { ...rest, enum: [only] };
  if (Array.isArray(prefixItems)) return { ...rest, prefixItems, items: itemOf(prefixItems) };
  if (!Array.isArray(anyOf) || !anyOf.some(isAnything)) return value;
  const checked = anyOf.filter((alternative) => !isAnything(alternative));
  return checked.length === 1 ? { ...checked[0], ...rest } : { ...rest, anyOf: checked };
}

/** The schema of all items of a tuple, for generators that do not know `prefixItems`. */
function itemOf(prefixItems: readonly unknown[]): unknown {
  if (new Set(prefixItems.map((item) => JSON.stringify(item))).size > 1)
    throw new Error('The items of a tuple differ: give them names, in an object');
  return prefixItems[0];
}

/** With such an alternative, a client would not check the others. */
const isAnything = (schema: unknown): boolean => JSON.stringify(schema) === '{}';

/**
 * Says the defaults of a component in the descriptions alone. Generators take a field with a `default` for one that is
 * always there, but in a request it may be left out.
 */
const withoutDefaults = (definition: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(definition), (_, value: unknown) => {
    const { default: byDefault, ...rest } = (value ?? {}) as JsonSchema;
    if (byDefault === undefined || typeof rest.type !== 'string') return value;
    const words = `by default \`${typeof byDefault === 'string' ? byDefault : JSON.stringify(byDefault)}\``;
    return { ...rest, description: rest.description === undefined ? words : `${rest.description}; ${words}` };
  });

export const sortedByName = <T>(entries: ReadonlyMap<string, T>): Readonly<Record<string, T>> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
