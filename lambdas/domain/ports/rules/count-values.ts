import type { FacetCounts, FacetField, PageCandidate } from '../index-reader.ts';

type FacetedPage = Pick<PageCandidate, 'language' | 'tags' | 'facts'>;
/** Page counts by value, with the index of the last counted page, so that a page counts once. */
type Counts = Map<string, { pages: number; last: number }>;

/** Counts the pages with each value of the fields. Reads each page once, whatever the number of fields. */
export function countValues(
  fields: readonly FacetField[],
  pages: readonly FacetedPage[],
  limit: number,
): readonly FacetCounts[] {
  const byKey = new Map<string, Counts>(fields.map((field) => [keyOf(field), new Map()]));
  const hasFacts = fields.some(({ field }) => field === 'facts');
  const add = (key: string, value: string, page: number): void => {
    const counts = byKey.get(key);
    if (counts) count(counts, value, page);
  };
  for (const [index, { tags, language, facts }] of pages.entries()) {
    for (const tag of tags) add('tags', tag, index);
    if (language !== undefined) add('language', language, index);
    for (const fact of hasFacts ? facts : []) {
      const end = fact.indexOf('=') + 1; // field names contain no "="
      add(fact.slice(0, end), fact.slice(end), index);
    }
  }
  return fields.map((field) => shown(field.name, byKey.get(keyOf(field)), limit));
}

const keyOf = (field: FacetField): string => (field.field === 'facts' ? field.prefix : field.field);

function count(counts: Counts, value: string, page: number): void {
  const known = counts.get(value);
  if (!known) counts.set(value, { pages: 1, last: page });
  else if (known.last !== page) {
    known.pages += 1;
    known.last = page;
  }
}

function shown(name: string, counts: Counts | undefined, limit: number): FacetCounts {
  const values = Array.from(counts ?? [], ([value, { pages }]) => ({ value, count: pages }));
  const [first] = values;
  if (!first) return { name, values };
  let [least, greatest] = [first.value, first.value];
  for (const { value } of values) {
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  return { name, values: values.slice(0, limit), range: [least, greatest] };
}
