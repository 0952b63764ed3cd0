import * as z from 'zod';

export type JsonSchema = { readonly [keyword: string]: unknown };

export type SchemaWriter = {
  /** The schema as JSON Schema, in which every schema with an id is a reference to its component. */
  readonly write: (schema: z.ZodType) => JsonSchema;
  /** The components that were referred to so far, by name. */
  readonly components: () => Readonly<Record<string, JsonSchema>>;
};

/** Bounds and patterns that zod adds of its own: the range of safe integers, and what `format` says already. */
function withoutNoise({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
}

const Wrapped = z.object({
  properties: z.object({ it: z.record(z.string(), z.unknown()) }),
  $defs: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
});

/**
 * Everything is written as input. Settings go both ways under one name, and an answer differs only in being left open to
 * new fields, which clients must bear.
 */
export function schemaWriter(): SchemaWriter {
  const components = new Map<string, JsonSchema>();
  const write = (schema: z.ZodType): JsonSchema => {
    // Wrapped, because the outermost schema would be written in place even if it has an id.
    const json = JSON.stringify(z.toJSONSchema(z.object({ it: schema }), { io: 'input', override: withoutNoise }));
    const { properties, $defs } = Wrapped.parse(JSON.parse(json.replaceAll('"#/$defs/', '"#/components/schemas/')));
    for (const [name, definition] of Object.entries($defs)) add(name, definition);
    return properties.it;
  };
  const add = (name: string, definition: JsonSchema): void => {
    const known = components.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(definition))
      throw new Error(`two schemas have the id ${name}`);
    components.set(name, definition);
  };
  return { write, components: () => sortedByName(components) };
}

export const sortedByName = <T>(entries: ReadonlyMap<string, T>): Readonly<Record<string, T>> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
