import { randomUUID } from 'node:crypto';
import type { Key, Table, Value } from '../../../lambdas/domain/ports/table.ts';

export const aMinute = 60;
export const now = () => Math.floor(Date.now() / 1000);
export const newKey = (): Key => ({ pk: `TEST#${randomUUID()}`, sk: 'ITEM' });

export type Access = { get(): Table };

export async function stored(table: Table, fields: Record<string, Value>): Promise<Key> {
  const key = newKey();
  await table.putMany([{ ...key, ...fields }]);
  return key;
}
