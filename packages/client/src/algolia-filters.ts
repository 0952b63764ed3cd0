import type { Filters } from './client.ts';

type Choices = string | readonly (string | readonly string[])[];
export type AlgoliaFilters = {
  readonly filters?: string;
  readonly facetFilters?: Choices;
  readonly numericFilters?: Choices;
};

/** Throws for what the service cannot do: a filter without effect would show too much. */
export function filtersOf({ filters: text, facetFilters = [], numericFilters = [] }: AlgoliaFilters): Filters {
  if (text) throw unsupported('`filters` as text', 'give `filters` to the adapter');
  const filters: Filters = {};
  for (const choice of [facetFilters].flat()) addChoice(filters, [choice].flat());
  for (const comparison of [numericFilters].flat(2)) addComparison(filters, comparison);
  return filters;
}

/** `field:value` of one field, any of which a page may have. */
function addChoice(filters: Filters, choice: readonly string[]): void {
  const pairs = choice.map((text) => /^(.*?):(.*)$/s.exec(text) ?? ['', text, '']);
  const fields = new Set(pairs.map(([, name = '']) => name));
  if (fields.size > 1) throw unsupported('one of several fields', 'filter each by itself');
  for (const field of fields) {
    if (field in filters) throw unsupported(`several values of ${field} at once`, "use the operator 'or'");
    const values = pairs.map(([, , value = '']) => value);
    if (values.some((value) => value.startsWith('-'))) throw unsupported('excluded values', 'choose the others');
    filters[field] = values;
  }
}

/** `field>=3`: with another for the same field, a range. */
function addComparison(filters: Filters, comparison: string): void {
  const [, field = '', operator, value] = /^\s*([\w.]+?)\s*(>=|<=|=)\s*(-?[\d.]+)\s*$/.exec(comparison) ?? [];
  if (!field) throw unsupported(comparison, 'use >=, <= or =');
  const range = filters[field];
  const bound = operator === '>=' ? { gte: Number(value) } : { lte: Number(value) };
  filters[field] = operator === '=' ? Number(value) : { ...(typeof range === 'object' && range), ...bound };
}

const unsupported = (what: string, instead: string): TypeError =>
  new TypeError(`This service does not filter by ${what}: ${instead}.`);
