import type { PageFilter, PageGroup } from '../../ports.ts';

/** A condition on a row `p` of `index_page`, with the values of its parameters. */
export type PageCondition = { readonly sql: string; readonly values: readonly string[] };

const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ');
const anyOf = (parts: readonly string[]): string => (parts.length > 0 ? `(${parts.join(' OR ')})` : 'FALSE');

export function filterCondition(filter: PageFilter): PageCondition {
  const column = filter.field === 'publishedAt' ? 'published_at' : filter.field;
  const isList = filter.field === 'tags' || filter.field === 'facts';
  const [test, values] =
    'anyOf' in filter ? [`IN (${marks(filter.anyOf)})`, filter.anyOf] : ['BETWEEN ? AND ?', [filter.from, filter.to]];
  const sql = isList ? `EXISTS (SELECT 1 FROM json_each(p.${column}) WHERE value ${test})` : `p.${column} ${test}`;
  return { sql, values };
}

export function groupCondition({ inside, tags, urlPrefixes, pathPrefixes }: PageGroup): PageCondition {
  const starts = (column: string, prefixes: readonly string[]) => prefixes.map(() => `instr(p.${column}, ?) = 1`);
  const tagged = tags.length > 0 ? [filterCondition({ field: 'tags', anyOf: tags }).sql] : [];
  const member = anyOf([...tagged, ...starts('url', urlPrefixes), ...starts('path', pathPrefixes)]);
  return { sql: inside ? member : `NOT ${member}`, values: [...tags, ...urlPrefixes, ...pathPrefixes] };
}

export const allOf = (conditions: readonly PageCondition[]): PageCondition => ({
  sql: conditions.map(({ sql }) => ` AND ${sql}`).join(''),
  values: conditions.flatMap(({ values }) => values),
});
