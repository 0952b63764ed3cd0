import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NotFoundError, UnavailableError } from '../../../../lambdas/domain/errors.ts';
import { authenticate, createApiKey, readApiKey } from '../../../../lambdas/domain/sites/access/api-key.ts';
import { revokeAnyKey } from '../../../../lambdas/domain/sites/access/manage-keys.ts';
import { createOrganisation, readOrganisation, setPlan } from '../../../../lambdas/domain/sites/access/organisation.ts';
import { newId } from '../../../../lambdas/runtime/system.ts';
import { memoryTable } from '../../../support/memory/table.ts';

const table = memoryTable();

const SECRET = 'abcdefghijklmnopqrstuvwxyz-_0123456789ABCDE';

describe('an API key', () => {
  let orgId: string;
  let now = 4_000_000_000_000; // far away: the table forgets what has expired by the system time
  const clock = () => now;
  const deps = { table, clock };

  beforeAll(async () => {
    orgId = newId();
    await createOrganisation({ orgId, name: 'Test', plan: 'pro' }, deps);
  });

  const newKey = async (more: { readonly validUntil?: number } = {}): Promise<string> =>
    (await createApiKey({ keyId: newId(), orgId, name: 'test', role: 'admin', secret: SECRET, ...more }, deps)).token;
  const keyIdOf = (token: string): string => token.split('_')[1] ?? '';

  it('authenticates as its organisation, role and plan', async () => {
    const token = await newKey();
    const keyId = keyIdOf(token);
    expect(token).toBe(`ssk_${keyId}_${SECRET}`);
    expect(await authenticate(token, deps)).toEqual({ orgId, keyId, role: 'admin', plan: 'pro' });
  });

  it('an API key is stored as a hash and four characters', async () => {
    const token = await newKey();
    const record = await table.get({ pk: `KEY#${keyIdOf(token)}`, sk: 'KEY' });
    expect(record).toMatchObject({ hint: 'BCDE', role: 'admin', createdAt: now / 1000 });
    expect(JSON.stringify(record)).not.toContain(SECRET.slice(0, 20));
  });

  it('is invalid when any character differs', async () => {
    const token = await newKey();
    const index = fc.nat(token.length - 1);
    await fc.assert(
      fc.asyncProperty(index, fc.constantFrom(...'abz09AZ_- \n'), async (at, character) => {
        const changed = token.slice(0, at) + character + token.slice(at + 1);
        expect((await authenticate(changed, deps)) === undefined).toBe(changed !== token);
      }),
    );
  });

  it('is invalid when it is cut, doubled or has the id of another key', async () => {
    const [token, other] = [await newKey(), await newKey()];
    const secretless = `ssk_${keyIdOf(token)}_`;
    const swapped = `ssk_${keyIdOf(other)}_${SECRET.toUpperCase()}`;
    for (const wrong of ['', 'ssk_', secretless, token.slice(0, -1), token + token, ` ${token}`, `${token}\n`, swapped])
      expect(await authenticate(wrong, deps)).toBeUndefined();
    expect(await authenticate(`${secretless}${'x'.repeat(1_000_000)}`, deps)).toBeUndefined();
  });

  it('an API key expires at the second of validUntil', async () => {
    const token = await newKey({ validUntil: now / 1000 + 60 });
    now += 59_999;
    expect(await authenticate(token, deps)).toBeDefined();
    now += 1;
    expect(await authenticate(token, deps)).toBeUndefined();
  });

  it('an API key stays revoked, since the first revocation', async () => {
    const token = await newKey();
    const { revokedAt } = await revokeAnyKey(keyIdOf(token), deps);
    expect(revokedAt).toBe(Math.floor(now / 1000));
    expect(await authenticate(token, deps)).toBeUndefined();
    now += 5000;
    expect(await revokeAnyKey(keyIdOf(token), deps)).toMatchObject({ revokedAt });
    await expect(revokeAnyKey(newId(), deps)).rejects.toThrow(NotFoundError);
  });

  it('an API key records the hour of its last use in one write an hour, which may fail', async () => {
    const token = await newKey();
    const keyId = keyIdOf(token);
    const writes: Promise<unknown>[] = [];
    let isDown = false;
    const update: typeof table.update = (key, changes) => {
      const write = isDown ? Promise.reject(new UnavailableError('down')) : table.update(key, changes);
      writes.push(write);
      return write as ReturnType<typeof table.update<never>>;
    };
    const use = async (): Promise<number | undefined> => {
      expect(await authenticate(token, { table: { ...table, update }, clock })).toBeDefined();
      await Promise.allSettled(writes);
      return (await readApiKey(keyId, table))?.lastUsedAt;
    };
    const hour = Math.floor(now / 3_600_000) * 3600;
    expect([await use(), await use(), await use(), writes.length]).toEqual([hour, hour, hour, 1]);
    now += 3_600_000;
    isDown = true;
    expect([await use(), writes.length]).toEqual([hour, 2]);
    isDown = false;
    expect([await use(), await use(), writes.length]).toEqual([hour + 3600, hour + 3600, 3]);
  });

  it('an API key has the present plan of its organisation', async () => {
    const token = await newKey();
    await setPlan(orgId, 'enterprise', table);
    expect(await authenticate(token, deps)).toMatchObject({ plan: 'enterprise' });
    expect(await readOrganisation(orgId, table)).toMatchObject({ name: 'Test', plan: 'enterprise', sites: 0 });
    await expect(setPlan(newId(), 'free', table)).rejects.toThrow(NotFoundError);
  });

  it('an API key does not replace another key, and needs a strong secret', async () => {
    const token = await newKey();
    const again = { keyId: keyIdOf(token), orgId, name: 'again', role: 'owner', secret: SECRET.toUpperCase() } as const;
    await createApiKey(again, deps).catch(() => undefined);
    expect(await authenticate(token, deps)).toMatchObject({ role: 'admin' });
    for (const secret of ['', 'short', `${SECRET}!`, 'x'.repeat(65)])
      await expect(createApiKey({ ...again, keyId: newId(), secret }, deps)).rejects.toThrow(RangeError);
  });
});
