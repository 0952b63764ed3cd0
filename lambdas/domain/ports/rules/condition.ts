import type { Condition, Item, Scalar, Value } from '../table.ts';

export function holds(condition: Condition, item: Item | undefined): boolean {
  const { exists, equals = {}, below = {} } = condition;
  if (exists !== undefined && exists !== (item !== undefined)) return false;
  return (
    Object.entries(equals).every(([field, wanted]) => isOneOf(fieldOf(item, field), wanted)) &&
    Object.entries(below).every(([field, bound]) => isBelow(fieldOf(item, field), bound))
  );
}

/** Reads own fields only: `toString` and the like count as absent. */
function fieldOf(item: Item | undefined, field: string): Value | undefined {
  return item !== undefined && Object.hasOwn(item, field) ? item[field] : undefined;
}

function isOneOf(value: Value | undefined, wanted: Scalar | readonly Scalar[]): boolean {
  const choices = Array.isArray(wanted) ? wanted : [wanted];
  return choices.some((choice) => choice === (value ?? null));
}

function isBelow(value: Value | undefined, bound: number): boolean {
  return value === undefined || (typeof value === 'number' && value < bound);
}
