import * as z from 'zod';

export type JsonSchema = { readonly [keyword: string]: unknown };

export type SchemaWriter = {
  /** Converts a schema to JSON Schema. A schema with an id becomes a reference to its component. */
  readonly write: (schema: z.ZodType) => JsonSchema;
  readonly components: () => Readonly<Record<string, JsonSchema>>;
};

/** Removes redundant parts that zod adds: the bounds of safe integers, and the pattern of a `format`. */
export function dropRedundant({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
}

const Wrapped = z.object({
  properties: z.object({ it: z.record(z.string(), z.unknown()) }),
  $defs: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
});

/**
 * Creates a writer that writes every schema as an input. Settings are input and output under one name, and responses
 * may gain fields.
 */
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
    // Wrapped, because zod writes the outermost schema inline even if it has an id.
    const json = JSON.stringify(z.toJSONSchema(z.object({ it: schema }), { io: 'input', override: dropRedundant }));
    const { properties, $defs } = Wrapped.parse(JSON.parse(json.replaceAll('"#/$defs/', `"${COMPONENTS}`), simplified));
    for (const [name, definition] of Object.entries($defs)) add(name, withoutDefaults(definition));
    written.set(schema, properties.it);
    return properties.it;
  };
  return { write, components: () => sortedByName(components) };
}

const COMPONENTS = '#/components/schemas/';

/**
 * Simplifies a value of JSON Schema to a form that most client generators understand. It is a reviver of `JSON.parse`.
 */
function simplified(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { const: only, prefixItems, anyOf, ...rest } = value as JsonSchema;
  if (typeof only === 'string') return { ...rest, enum: [only] };
  if (Array.isArray(prefixItems)) return { ...rest, prefixItems, items: itemOf(prefixItems) };
  if (!Array.isArray(anyOf) || !anyOf.some(isAnything)) return value;
  const checked = anyOf.filter((alternative) => !isAnything(alternative));
  return checked.length === 1 ? { ...checked[0], ...rest } : { ...rest, anyOf: checked };
}

/** Returns the schema of all items of a tuple, for generators that do not know `prefixItems`. */
function itemOf(prefixItems: readonly unknown[]): unknown {
  if (new Set(prefixItems.map((item) => JSON.stringify(item))).size > 1)
    throw new Error('The items of a tuple differ: give them names, in an object');
  return prefixItems[0];
}

/** Recognises an alternative that admits anything. With it, a client would not check the others. */
const isAnything = (schema: unknown): boolean => JSON.stringify(schema) === '{}';

/**
 * Moves the defaults of a component into the descriptions. Generators treat a field with a `default` as always present,
 * but a request may omit it.
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
