import { createHash, timingSafeEqual } from 'node:crypto';
import { type Clock, epochSeconds } from '../clock.ts';
import { NotFoundError } from '../errors.ts';
import type { Table } from '../ports/table.ts';
import { type Organisation, readOrganisation } from './organisation.ts';
import type { Plan } from './plan.ts';
import type { Role } from './role.ts';

/** The record of a key. Its secret is shown once, when it is created, and stored only as its SHA-256. */
export type ApiKey = {
  readonly keyId: string;
  readonly orgId: string;
  readonly name: string;
  readonly role: Role;
  readonly secretHash: string;
  /** The last four characters of the secret, by which people tell keys apart. */
  readonly hint: string;
  readonly createdAt: number;
  readonly validUntil?: number;
  readonly revokedAt?: number;
};

export type Caller = { readonly orgId: string; readonly keyId: string; readonly role: Role; readonly plan: Plan };

const keyOf = (keyId: string) => ({ pk: `KEY#${keyId}`, sk: 'KEY' });
const pointerOf = (orgId: string, keyId: string) => ({ pk: `ORG#${orgId}`, sk: `KEY#${keyId}` });

const TOKEN = /^ssk_([0-9a-f-]{36})_([A-Za-z0-9_-]{32,64})$/;
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Answers the token for `Authorization: Bearer <token>`. `secret` has 32 to 64 random URL-safe characters. */
export async function createApiKey(
  key: Pick<ApiKey, 'keyId' | 'orgId' | 'name' | 'role' | 'validUntil'> & { readonly secret: string },
  { table, clock }: { readonly table: Table; readonly clock: Clock },
): Promise<string> {
  const { secret, ...fields } = key;
  const token = `ssk_${key.keyId}_${secret}`;
  if (!TOKEN.test(token)) throw new RangeError('a key needs a UUID and 32 to 64 URL-safe characters');
  const record = { ...fields, secretHash: sha256(secret).toString('hex'), hint: secret.slice(-4) };
  await table.write([
    { put: { ...keyOf(key.keyId), ...record, createdAt: epochSeconds(clock) }, when: { exists: false } },
    { put: pointerOf(key.orgId, key.keyId) },
  ]);
  return token;
}

/** The owner of a token; undefined if the token is malformed, unknown, revoked or expired. */
export async function authenticate(
  token: string,
  { table, clock }: { readonly table: Table; readonly clock: Clock },
): Promise<Caller | undefined> {
  const [, keyId, secret] = TOKEN.exec(token) ?? [];
  if (!keyId || !secret) return undefined;
  const key = await table.get<ApiKey>(keyOf(keyId));
  if (!key || !timingSafeEqual(Buffer.from(key.secretHash, 'hex'), sha256(secret))) return undefined;
  if (key.revokedAt !== undefined || (key.validUntil ?? Infinity) <= epochSeconds(clock)) return undefined;
  const organisation: Organisation | undefined = await readOrganisation(key.orgId, table);
  return organisation && { orgId: key.orgId, keyId, role: key.role, plan: organisation.plan };
}

/** Answers when the key was revoked: revoking it again keeps the first time. */
export async function revokeApiKey(
  keyId: string,
  { table, clock }: { readonly table: Table; readonly clock: Clock },
): Promise<number> {
  const now = epochSeconds(clock);
  const revoked = await table.update<ApiKey>(keyOf(keyId), {
    set: { revokedAt: now },
    when: { exists: true, equals: { revokedAt: null } },
  });
  const revokedAt = revoked?.revokedAt ?? (await table.get<ApiKey>(keyOf(keyId)))?.revokedAt;
  if (revokedAt === undefined) throw new NotFoundError('Key');
  return revokedAt;
}
