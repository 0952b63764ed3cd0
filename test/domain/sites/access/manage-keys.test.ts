import { describe, expect, it } from '@jest/globals';
import { authenticate } from '../../../../lambdas/domain/sites/access/api-key.ts';
import {
  createKey,
  listKeys,
  type NewKey,
  revokeAnyKey,
  revokeKey,
} from '../../../../lambdas/domain/sites/access/manage-keys.ts';
import { createOrganisation } from '../../../../lambdas/domain/sites/access/organisation.ts';
import { newId, newSecret } from '../../../../lambdas/runtime/system.ts';
import { memoryTable } from '../../../support/memory/table.ts';

const table = memoryTable();

const DAY = 24 * 3600;

describe('the keys of an organisation', () => {
  let now = 4_000_000_000_000; // far away: the table forgets what has expired by the system time
  const clock = () => now;
  const deps = { table, clock, newId, newSecret };

  const newOrganisation = async () => {
    const orgId = newId();
    await createOrganisation({ orgId, name: 'Test', plan: 'pro' }, deps);
    return { orgId, role: 'owner' } as const;
  };
  const namesOf = async (orgId: string) =>
    (await listKeys({ limit: 100 }, { orgId }, table)).items.map(({ name }) => name);
  const lastOwnerKey = expect.objectContaining({ code: 'last_owner_key' });

  it.each([2, 3, 8])('an organisation keeps one owner key if all %i are revoked at once', async (count) => {
    const owner = await newOrganisation();
    const keys = await Promise.all(
      Array.from({ length: count }, () => createKey({ name: 'k', role: 'owner' }, owner, deps)),
    );
    const ends = await Promise.allSettled(keys.map(({ keyId }) => revokeKey(keyId, owner, deps)));
    expect(ends.filter(({ status }) => status === 'rejected')).toEqual([{ status: 'rejected', reason: lastOwnerKey }]);
    const callers = await Promise.all(keys.map(({ apiKey }) => authenticate(apiKey, deps)));
    expect(callers.filter((caller) => caller !== undefined)).toHaveLength(1);
  });

  it('a revoked or expired owner key does not count as one that remains', async () => {
    const owner = await newOrganisation();
    const make = (more: Partial<NewKey> = {}) => createKey({ name: 'k', role: 'owner', ...more }, owner, deps);
    const kept = await make();
    const revoked = await make();
    await make({ expiresAt: now / 1000 + 60 });
    await make({ role: 'admin' });
    await revokeKey(revoked.keyId, owner, deps);
    now += 60_000;
    await expect(revokeKey(kept.keyId, owner, deps)).rejects.toEqual(lastOwnerKey);
    expect(await revokeKey(revoked.keyId, owner, deps)).toMatchObject({ revokedAt: now / 1000 - 60 });
    expect(await revokeAnyKey(kept.keyId, deps)).toMatchObject({ revokedAt: now / 1000 });
  });

  it('an organisation has at most 1,000 keys that are not revoked', async () => {
    const owner = await newOrganisation();
    await table.update({ pk: `ORG#${owner.orgId}`, sk: 'ORG' }, { set: { keys: 998 } });
    const make = (name: string) => createKey({ name, role: 'admin' }, owner, deps);
    const made = await Promise.allSettled(['a', 'b', 'c', 'd'].map(make));
    const refused = made.filter(({ status }) => status === 'rejected');
    expect(refused.map((end) => 'reason' in end && end.reason.code)).toEqual(['plan_limit', 'plan_limit']);
    const [key] = (await listKeys({ limit: 1 }, owner, table)).items;
    await revokeKey(key?.keyId ?? '', owner, deps);
    await make('e');
    await expect(make('f')).rejects.toMatchObject({ code: 'plan_limit' });
  });

  it('keys are listed newest first in parts, and a revoked one for 90 days', async () => {
    const owner = await newOrganisation();
    const start = now;
    now = Date.now(); // the table has its own clock
    const keys = [];
    for (const name of ['a', 'b', 'c']) keys.push(await createKey({ name, role: 'member' }, owner, deps));
    expect(await namesOf(owner.orgId)).toEqual(['c', 'b', 'a']);
    const first = await listKeys({ limit: 2 }, owner, table);
    const second = await listKeys({ limit: 2, cursor: first.next }, owner, table);
    expect([first.items.length, second.items.map(({ name }) => name), second.next]).toEqual([2, ['a'], undefined]);
    now -= 89 * DAY * 1000;
    await revokeKey(keys[0]?.keyId ?? '', owner, deps);
    now -= 2 * DAY * 1000;
    await revokeKey(keys[1]?.keyId ?? '', owner, deps);
    expect(await namesOf(owner.orgId)).toEqual(['c', 'a']);
    now = start;
  });
});
