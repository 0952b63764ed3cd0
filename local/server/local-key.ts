import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { table } from '#adapters/table';
import { authenticate, type Caller } from '../../lambdas/domain/sites/access/api-key.ts';
import { createOrganisation } from '../../lambdas/domain/sites/access/organisation.ts';
import { clock, newId } from '../../lambdas/runtime/system.ts';
import { newKey } from '../admin/commands.ts';
import { KEY_FILE_NAME } from '../sqlite/database.ts';

/** The item with the id of the organisation Local, so that a new key has access to the sites of the previous key. */
const LOCAL_ORGANISATION = { pk: 'LOCAL', sk: 'ORG' };

/**
 * Returns the owner's key of the organisation Local from the file `local-key`. If it is missing or invalid, creates a
 * new key.
 */
export async function localKey(dataDir: string): Promise<{ readonly apiKey: string; readonly caller: Caller }> {
  const file = join(dataDir, KEY_FILE_NAME);
  const stored = (await readFile(file, 'utf8').catch(() => '')).trim();
  const known = await authenticate(stored, { table, clock });
  if (known) {
    await remember(known.orgId);
    return { apiKey: stored, caller: known };
  }
  const { apiKey } = await newKey(await localOrganisation(), { name: 'local', role: 'owner' }, table);
  await writeFile(file, `${apiKey}\n`, { mode: 0o600 });
  const caller = await authenticate(apiKey, { table, clock });
  if (!caller) throw new Error('The local API key could not be read back from the store');
  return { apiKey, caller };
}

async function localOrganisation(): Promise<string> {
  const present = await table.get<{ readonly orgId: string }>(LOCAL_ORGANISATION);
  if (present) return present.orgId;
  const orgId = newId();
  await createOrganisation({ orgId, name: 'Local', plan: 'enterprise' }, { table, clock });
  await remember(orgId);
  return orgId;
}

const remember = (orgId: string): Promise<void> => table.putMany([{ ...LOCAL_ORGANISATION, orgId }]);
