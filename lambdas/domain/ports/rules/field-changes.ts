import type { FieldChanges, Item, Key, Value } from '../table.ts';
import { checkFieldChanges } from './table-limits.ts';

/**
 * Returns the changed item. An absent item starts with its key alone. Throws a RangeError if a field changes twice, the
 * key changes, or a number is added to a value that is not a number.
 */
export function withChanges(key: Key, item: Item | undefined, changes: FieldChanges): Item {
  checkFieldChanges(changes);
  const fields = new Map<string, Value | undefined>(Object.entries(item ?? {}));
  for (const [field, value] of Object.entries(changes.set ?? {})) fields.set(field, value);
  for (const field of changes.unset ?? []) fields.delete(field);
  for (const [field, amount] of Object.entries(changes.add ?? {}))
    fields.set(field, sum(field, fields.get(field), amount));
  return { ...Object.fromEntries(fields), pk: key.pk, sk: key.sk };
}

function sum(field: string, value: Value | undefined, amount: number): number {
  const total = typeof value === 'number' || value === undefined ? (value ?? 0) + amount : Number.NaN;
  if (!Number.isFinite(total)) throw new RangeError(`${amount} cannot be added to the value of the field ${field}`);
  return total;
}
