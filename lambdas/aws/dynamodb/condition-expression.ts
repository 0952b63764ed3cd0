import type { Condition, Scalar } from '../../domain/ports/table.ts';
import type { Placeholders } from './placeholders.ts';

const NEVER = 'attribute_exists(pk) AND attribute_not_exists(pk)';

/** How a condition treats absent and expired items. DynamoDB deletes expired items up to two days late. */
export type MissingItem = 'expired is absent' | 'expired fails' | 'missing fails';

/** Returns a condition as a DynamoDB expression; undefined if it always holds. `now` is in epoch seconds. */
export function conditionExpression(
  condition: Condition,
  placeholders: Placeholders,
  { missing, now }: { readonly missing: MissingItem; readonly now: number },
): string | undefined {
  const { exists, equals = {}, below = {} } = condition;
  const isUnconditional = exists === undefined && Object.keys(equals).length === 0 && Object.keys(below).length === 0;
  const notExpired = () => `(attribute_not_exists(expiresAt) OR expiresAt > ${placeholders.value(now)})`;
  if (isUnconditional && missing !== 'missing fails') return missing === 'expired is absent' ? undefined : notExpired();

  const alternatives: string[] = [];
  if (
    missing !== 'missing fails' &&
    exists !== true &&
    Object.values(equals).every((wanted) => choices(wanted).includes(null))
  ) {
    alternatives.push('attribute_not_exists(pk)');
    if (missing === 'expired is absent') alternatives.push(`expiresAt <= ${placeholders.value(now)}`);
  }
  if (exists !== false && Object.values(equals).every((wanted) => choices(wanted).length > 0)) {
    const parts = [
      ...Object.entries(equals).map(([field, wanted]) => isOneOf(placeholders.name(field), wanted, placeholders)),
      ...Object.entries(below).map(([field, bound]) => isBelow(placeholders.name(field), bound, placeholders)),
    ];
    alternatives.push(['attribute_exists(pk)', notExpired(), ...parts].join(' AND '));
  }
  return alternatives.length === 0 ? NEVER : alternatives.map((each) => `(${each})`).join(' OR ');
}

const choices = (wanted: Scalar | readonly Scalar[]): readonly Scalar[] =>
  Array.isArray(wanted) ? wanted : [wanted as Scalar];

function isOneOf(name: string, wanted: Scalar | readonly Scalar[], placeholders: Placeholders): string {
  const equal = choices(wanted).map((choice) => `${name} = ${placeholders.value(choice)}`);
  const absent = choices(wanted).includes(null) ? [`attribute_not_exists(${name})`] : [];
  return `(${[...absent, ...equal].join(' OR ')})`;
}

function isBelow(name: string, bound: number, placeholders: Placeholders): string {
  return `(attribute_not_exists(${name}) OR ${name} < ${placeholders.value(bound)})`;
}
