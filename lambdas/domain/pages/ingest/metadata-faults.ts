import { type FactKind, factPrefix, factsOf } from '../../../text/fields/facts.ts';
import { cut } from '../../../text/words/folding.ts';
import type { MetadataField } from '../../sites/metadata-schema.ts';

const WANTED: Readonly<Record<MetadataField['type'], { readonly kind: FactKind; readonly words: string }>> = {
  string: { kind: 's', words: 'a string' },
  number: { kind: 'n', words: 'a number' },
  date: { kind: 'd', words: 'a date such as 2026-11-23 or 2026-11-23T10:30:00Z' },
};
const SHOWN_CHARACTERS = 80;

/** What of the metadata is not of the type that the schema says. Lists may hold several values; null counts as none. */
export function metadataFaults(
  metadata: Readonly<Record<string, unknown>> = {},
  schema: readonly MetadataField[],
): readonly string[] {
  return schema.flatMap(({ name, type }) => {
    const value = Object.hasOwn(metadata, name) ? metadata[name] : null;
    const { kind, words } = WANTED[type];
    const isOfType = (single: unknown) => factsOf(name, single).some((fact) => fact.startsWith(factPrefix(kind, name)));
    const wrong = [value].flat().find((single) => single !== null && !isOfType(single));
    if (wrong === undefined) return [];
    return `metadata.${name} must be ${words}, not ${cut(JSON.stringify(wrong), SHOWN_CHARACTERS)}`;
  });
}
