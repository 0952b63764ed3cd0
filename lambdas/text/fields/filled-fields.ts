import { cut } from '../words/folding.ts';
import { dateKey, isNumber } from './facts.ts';
import type { FieldSource, SourcedField, SourcedFields } from './field-source.ts';
import { jsonLdTexts } from './json-ld-values.ts';
import { knows, MAX_VALUE, MAX_VALUES, type NamedValues, type SourceValues } from './source-values.ts';
import { urlValue } from './url-value.ts';

type FieldValue = string | number;
export type Metadata = Readonly<Record<string, unknown>>;

/** Maximum characters of all filled values of a page together. */
const MAX_CHARACTERS = 32_000;

/** Returns the values that a page gives for a site's fields. A value of the wrong type is left out. */
export function filledFields(
  { fields }: SourcedFields,
  url: string,
  values: SourceValues | undefined,
): Metadata | undefined {
  let room = MAX_CHARACTERS;
  const filled = fields.flatMap(({ name, type, from }): readonly [string, FieldValue | readonly FieldValue[]][] => {
    const found = textsFrom(from, url, values).flatMap((text) => typedValue(text, type) ?? []);
    const [first, ...more] = found.slice(0, MAX_VALUES);
    room -= String(found).length;
    if (first === undefined || room < 0) return [];
    return [[name, more.length === 0 ? first : [first, ...more]]];
  });
  return filled.length === 0 ? undefined : Object.fromEntries(filled);
}

/** Adds the metadata given at ingestion, which overrides filled values. */
export function withGiven(
  filled: Metadata = {},
  given: Metadata = {},
): { readonly metadata?: Metadata; readonly filled?: readonly string[] } {
  const names = Object.keys(filled).filter((name) => !Object.hasOwn(given, name));
  const metadata = Object.fromEntries([...names.map((name) => [name, filled[name]]), ...Object.entries(given)]);
  return {
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(names.length > 0 && { filled: names }),
  };
}

/** Returns whether a stored page has all sources of its fields. If not, the page must be read again. */
export const canFill = ({ fields }: Pick<SourcedFields, 'fields'>, values: SourceValues | undefined): boolean =>
  fields.every(({ from }) => from.urlPattern !== undefined || (values !== undefined && knows(values, from)));

function textsFrom(
  { meta, jsonLd, urlPattern, selector }: FieldSource,
  url: string,
  values: SourceValues | undefined,
): readonly string[] {
  if (urlPattern !== undefined) return [urlValue(urlPattern, url) ?? ''];
  if (meta !== undefined) return valuesNamed(meta.toLowerCase(), values?.meta);
  if (selector !== undefined) return valuesNamed(selector, values?.selected);
  return jsonLdTexts(values?.jsonLd ?? [], jsonLd ?? '');
}

function valuesNamed(name: string, lists: readonly NamedValues[] = []): readonly string[] {
  const [, ...values] = lists.find(([known]) => known === name) ?? [];
  return values;
}

function typedValue(text: string, type: SourcedField['type']): FieldValue | undefined {
  const trimmed = cut(text.trim(), MAX_VALUE);
  if (trimmed === '') return undefined;
  if (type === 'number') return isNumber(trimmed) ? Number(trimmed) : undefined;
  return type === 'date' && dateKey(trimmed) === undefined ? undefined : trimmed;
}
