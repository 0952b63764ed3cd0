import { factsOf } from './filter-terms.ts';

/** Names that a metadata schema may have; nothing can be asked of others. */
const FIELD_NAME = /^[A-Za-z0-9_]{1,64}$/;

/** What can be asked of a page's metadata, each fact once. */
export function metadataFacts(metadata: Readonly<Record<string, unknown>> = {}): readonly string[] {
  const fields = Object.entries(metadata).filter(([name]) => FIELD_NAME.test(name));
  return [...new Set(fields.flatMap(([name, value]) => factsOf(name, value)))];
}
