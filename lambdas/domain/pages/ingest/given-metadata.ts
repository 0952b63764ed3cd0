import { dateKey, epochDate, type FactKind, factPrefix, factsOf } from '../../../text/fields/facts.ts';
import { cut } from '../../../text/words/folding.ts';
import type { MetadataField } from '../../sites/metadata-schema.ts';

type Metadata = Readonly<Record<string, unknown>>;

/** Names of a page's or result's own fields, also in QuantSearch. A site's own field with such a name is accepted. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['title', 'url', 'originalUrl', 'summary', 'tags', 'topics', 'publishedAt', 'crawledAt', 'fetchedAt'],
  ...['dateSource', 'jobId'],
]);

const WANTED: Readonly<Record<MetadataField['type'], { readonly kind: FactKind; readonly words: string }>> = {
  string: { kind: 's', words: 'a string' },
  number: { kind: 'n', words: 'a number' },
  date: { kind: 'd', words: 'a date such as 2026-11-23, 2026-11-23T10:30:00Z or epoch seconds' },
};
const SHOWN_CHARACTERS = 80;

/**
 * Returns the metadata with which a page is indexed, and warnings about omitted fields: reserved names, and values that
 * do not have the schema's type. Dates in epoch seconds become ISO 8601. Lists may hold several values; null counts as
 * none.
 */
export function givenMetadata(
  metadata: Metadata,
  schema: readonly MetadataField[],
): { readonly metadata: Metadata; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const kept = Object.entries(metadata).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    const field = schema.find((candidate) => candidate.name === name);
    if (!field && !RESERVED.has(name)) return [[name, value]];
    if (!field) {
      warnings.push(`metadata.${name} was left out: the name is reserved`);
      return [];
    }
    const typed = [value].flat().map((single) => typedValue(field, single));
    const wrong = typed.indexOf(undefined);
    if (wrong < 0) return [[name, Array.isArray(value) ? typed : typed[0]]];
    const shown = cut(JSON.stringify([value].flat()[wrong]), SHOWN_CHARACTERS);
    warnings.push(`metadata.${name} was left out: it must be ${WANTED[field.type].words}, not ${shown}`);
    return [];
  });
  return { metadata: Object.fromEntries(kept), warnings };
}

/** Returns undefined if the value does not have the field's type. */
function typedValue({ name, type }: MetadataField, value: unknown): unknown {
  if (value === null) return value;
  if (type === 'date' && typeof value === 'number') return dateKey(epochDate(value)) && epochDate(value);
  const prefix = factPrefix(WANTED[type].kind, name);
  return factsOf(name, value).some((fact) => fact.startsWith(prefix)) ? value : undefined;
}
