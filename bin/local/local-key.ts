import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { table } from '#adapters/table';
import { authenticate, type Caller } from '../../lambdas/core/access/api-key.ts';
import { createOrganisation } from '../../lambdas/core/access/organisation.ts';
import { clock, newId } from '../../lambdas/runtime/world.ts';
import { newKey } from '../admin/new-key.ts';

/** The owner's key of the organisation Local: the one in `local-key`, made at the first start and whenever it opens nothing. */
export async function localKey(dataDir: string): Promise<{ readonly apiKey: string; readonly caller: Caller }> {
  const file = join(dataDir, 'local-key');
  const kept = await readFile(file, 'utf8').catch(() => '');
  const known = await authenticate(kept.trim(), { table, clock });
  if (known) return { apiKey: kept.trim(), caller: known };
  const orgId = newId();
  await createOrganisation({ orgId, name: 'Local', plan: 'enterprise' }, { table, clock });
  const apiKey = await newKey({ orgId, name: 'local', role: 'owner' }, table);
  await writeFile(file, `${apiKey}\n`, { mode: 0o600 });
  const caller = await authenticate(apiKey, { table, clock });
  if (!caller) throw new Error('the local key was not stored');
  return { apiKey, caller };
}
