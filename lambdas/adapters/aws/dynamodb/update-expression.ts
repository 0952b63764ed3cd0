import type { FieldChanges, Value } from '../../../core/ports/table.ts';
import type { Gone } from './condition-expression.ts';
import type { Placeholders } from './placeholders.ts';

/** Changes of fields in DynamoDB's words; undefined if there are none. A field that is set to undefined is unset. */
export function updateExpression(
  { set = {}, unset = [], add = {} }: FieldChanges,
  placeholders: Placeholders,
): string | undefined {
  const fields: readonly (readonly [string, Value | undefined])[] = Object.entries(set);
  const sets = fields.flatMap(([field, value]) =>
    value === undefined ? [] : [`${placeholders.name(field)} = ${placeholders.value(value)}`],
  );
  const cleared = fields.flatMap(([field, value]) => (value === undefined ? [field] : []));
  const removals = [...unset, ...cleared].map((field) => placeholders.name(field));
  const sums = Object.entries(add).map(
    ([field, amount]) => `${placeholders.name(field)} ${placeholders.value(amount)}`,
  );
  const clauses = [clause('SET', sets), clause('REMOVE', removals), clause('ADD', sums)].flat();
  return clauses.length === 0 ? undefined : clauses.join(' ');
}

const clause = (verb: string, parts: readonly string[]): readonly string[] =>
  parts.length === 0 ? [] : [`${verb} ${parts.join(', ')}`];

/**
 * What an update may not meet: an expired item, whose fields would live on; and, where nothing is set or added, an absent one,
 * for DynamoDB would not make it.
 */
export function goneFor({ set = {}, add = {} }: FieldChanges): Gone {
  const makes = Object.keys(add).length > 0 || Object.values(set).some((value) => value !== undefined);
  return makes ? 'not expired' : 'refused';
}
