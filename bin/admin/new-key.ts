import { randomBytes } from 'node:crypto';
import { createApiKey } from '../../lambdas/core/access/api-key.ts';
import type { Table } from '../../lambdas/core/ports/table.ts';
import { clock, newId } from '../../lambdas/runtime/system.ts';

export const newKey = (
  key: Omit<Parameters<typeof createApiKey>[0], 'keyId' | 'secret'>,
  table: Table,
): Promise<string> =>
  createApiKey({ ...key, keyId: newId(), secret: randomBytes(32).toString('base64url') }, { table, clock });
