import type { Item } from '../../../core/ports/table.ts';

/** An item as stored: `value` is its other fields as JSON. */
export type ItemRow = {
  readonly pk: string;
  readonly sk: string;
  readonly value: string;
  readonly expiresAt: number | null;
};

export function rowOf({ pk, sk, expiresAt, ...fields }: Item): ItemRow {
  return { pk, sk, value: JSON.stringify(fields), expiresAt: expiresAt ?? null };
}

export function itemOf({ pk, sk, value, expiresAt }: ItemRow): Item {
  return { ...JSON.parse(value), pk, sk, ...(expiresAt === null ? {} : { expiresAt }) };
}
