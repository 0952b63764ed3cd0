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
  const write = (schema: z.ZodType): JsonSchema => {
    // Wrapped: zod writes the outermost schema inline even if it has an id.
    const json = JSON.stringify(z.toJSONSchema(z.object({ it: schema }), { io: 'input', override: dropRedundant }));
    const { properties, $defs } = Wrapped.parse(JSON.parse(json.replaceAll('"#/$defs/', '"#/components/schemas/')));
    for (const [name, definition] of Object.entries($defs)) add(name, definition);
    return properties.it;
  };
  const add = (name: string, definition: JsonSchema): void => {
    const known = components.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(definition))
      throw new Error(`Two different schemas have the id ${name}`);
    components.set(name, definition);
  };
  return { write, components: () => sortedByName(components) };
}

export const sortedByName = <T>(entries: ReadonlyMap<string, T>): Readonly<Record<string, T>> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
