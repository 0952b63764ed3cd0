import type { Filters } from './client.ts';

/** All of the outer list, and any of an inner one. */
type Choices = string | readonly Choices[];
export type AlgoliaFilters = {
  readonly filters?: string;
  readonly facetFilters?: Choices;
  readonly numericFilters?: Choices;
};

/** Throws for what the service cannot do: a filter without effect would show too much. */
export function filtersOf({ filters: text, facetFilters = [], numericFilters = [] }: AlgoliaFilters): Filters {
  if (text) throw unsupported('`filters` as text', 'give `filters` to the adapter');
  const filters: Filters = {};
  for (const choice of listOf(facetFilters)) addChoice(filters, textsIn(choice));
  for (const choice of listOf(numericFilters)) addComparison(filters, textsIn(choice));
  return filters;
}

const listOf = (choices: Choices): readonly Choices[] => (typeof choices === 'string' ? [choices] : choices);
const textsIn = (choices: Choices): readonly string[] =>
  typeof choices === 'string' ? [choices] : choices.flatMap(textsIn);

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
function addComparison(filters: Filters, [comparison = '', ...others]: readonly string[]): void {
  const [, field = '', operator, value] = /^\s*([\w.]+?)\s*(>=|<=|=)\s*(-?[\d.]+)\s*$/.exec(comparison) ?? [];
  if (!field || others.length > 0) throw unsupported([comparison, ...others].join(' or '), 'use one of >=, <= and =');
  const range = filters[field];
  const bound = operator === '>=' ? { gte: Number(value) } : { lte: Number(value) };
  filters[field] = operator === '=' ? Number(value) : { ...(typeof range === 'object' && range), ...bound };
}

const unsupported = (what: string, instead: string): TypeError =>
  new TypeError(`This service does not filter by ${what}: ${instead}.`);
