import * as z from 'zod';

export type JsonSchema = { readonly [keyword: string]: unknown };

export type SchemaWriter = {
  /** Writes JSON Schema; a schema with an id becomes a reference to its component. */
  readonly write: (schema: z.ZodType) => JsonSchema;
  /**
   * The same for a request, but with components that have a default written out. Generators take a field with a default
   * for one that is always there, except within the request itself.
   */
  readonly writeRequest: (schema: z.ZodType) => JsonSchema;
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
    const { written, definitions } = jsonSchemaOf(schema);
    for (const [name, definition] of Object.entries(definitions)) add(name, definition);
    return written;
  };
  const writeRequest = (schema: z.ZodType): JsonSchema => {
    const { written, definitions } = jsonSchemaOf(schema);
    const request = writtenOut(written, definitions);
    for (const name of referredIn(request, definitions)) add(name, definitions[name] ?? {});
    return request;
  };
  const add = (name: string, definition: JsonSchema): void => {
    const known = components.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(definition))
      throw new Error(`Two different schemas have the id ${name}`);
    components.set(name, definition);
  };
  return { write, writeRequest, components: () => sortedByName(components) };
}

type Definitions = Readonly<Record<string, JsonSchema>>;

function jsonSchemaOf(schema: z.ZodType): { readonly written: JsonSchema; readonly definitions: Definitions } {
  // Wrapped: zod writes the outermost schema inline even if it has an id.
  const json = JSON.stringify(z.toJSONSchema(z.object({ it: schema }), { io: 'input', override: dropRedundant }));
  const { properties, $defs } = Wrapped.parse(JSON.parse(json.replaceAll('"#/$defs/', `"${COMPONENTS}`)));
  return { written: properties.it, definitions: $defs };
}

const COMPONENTS = '#/components/schemas/';

/** Replaces the references to definitions that have a default, directly or in what they refer to. */
function writtenOut(schema: JsonSchema, definitions: Definitions): JsonSchema {
  const hasDefault = (name: string): boolean =>
    JSON.stringify(definitions[name]).includes('"default":') ||
    referredIn(definitions[name], definitions).some(hasDefault);
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    const { $ref, ...beside } = (value ?? {}) as JsonSchema;
    const name = typeof $ref === 'string' ? $ref.slice(COMPONENTS.length) : '';
    if (name === '' || !hasDefault(name)) return value;
    return { title: name, ...writtenOut(definitions[name] ?? {}, definitions), ...beside };
  });
}

const referredIn = (schema: JsonSchema | undefined, definitions: Definitions): readonly string[] =>
  Object.keys(definitions).filter((name) => JSON.stringify(schema).includes(`"${COMPONENTS}${name}"`));

export const sortedByName = <T>(entries: ReadonlyMap<string, T>): Readonly<Record<string, T>> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
