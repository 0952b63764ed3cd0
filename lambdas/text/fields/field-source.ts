import { hash } from 'node:crypto';

/** The longest path of a property of JSON-LD, in characters. */
export const MAX_PATH = 200;

/** The source of a field's value. Exactly one of these is set (domain/sites/metadata-source.ts). */
export type FieldSource = {
  /** The name or property of a meta tag. */
  readonly meta?: string | undefined;
  /** A property, or a dotted path of properties. */
  readonly jsonLd?: string | undefined;
  /** A pattern with one asterisk (url-value.ts). */
  readonly urlPattern?: string | undefined;
  /** A CSS selector (html/selector.ts). */
  readonly selector?: string | undefined;
};

export type SourcedField = {
  readonly name: string;
  readonly type: 'string' | 'number' | 'date';
  readonly from: FieldSource;
};

/** The fields of a site that are filled from its pages. */
export type SourcedFields = {
  readonly fields: readonly SourcedField[];
  /** A version that changes with names, types and sources; undefined if there are no such fields. */
  readonly version: string | undefined;
};

type SchemaField = Omit<SourcedField, 'from'> & { readonly from?: FieldSource | undefined };

export function sourcedFields(schema: readonly SchemaField[]): SourcedFields {
  const fields = schema.flatMap(({ name, type, from }) => (from ? [{ name, type, from }] : []));
  return { fields, version: fields.length === 0 ? undefined : versionOf(fields) };
}

const versionOf = (fields: readonly SourcedField[]): string =>
  hash('sha256', JSON.stringify(fields), 'hex').slice(0, 16);
