import type { Schemas } from '../../api.ts';

export type Filters = Schemas['Filters'];

/** The filters of an address. What is no JSON object counts as none. */
export function filtersIn(text: string | undefined): Filters {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Filters) : {};
  } catch {
    return {};
  }
}

/** Sets a filter, or removes it; undefined if none is left. */
export function withFilter(filters: Filters, name: string, value: Filters[string] | undefined): string | undefined {
  const { [name]: _, ...others } = filters;
  const next = value === undefined ? others : { ...others, [name]: value };
  return Object.keys(next).length === 0 ? undefined : JSON.stringify(next);
}
