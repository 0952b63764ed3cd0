import type { FieldChanges, Value } from '../../domain/ports/table.ts';
import type { MissingItem } from './condition-expression.ts';
import type { Placeholders } from './placeholders.ts';

/**
 * Returns field changes as a DynamoDB expression; undefined if there are none. Setting a field to undefined removes it.
 */
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
 * Returns how an update treats a missing item. It must fail for an expired item, or the item's old fields would
 * survive. An update that only removes fields must also fail for an absent item, because DynamoDB would not create it.
 */
export function missingItemFor({ set = {}, add = {} }: FieldChanges): MissingItem {
  const creates = Object.keys(add).length > 0 || Object.values(set).some((value) => value !== undefined);
  return creates ? 'expired fails' : 'missing fails';
}
