import { createHash, timingSafeEqual } from 'node:crypto';
import { type Clock, epochSeconds } from '../../clock.ts';
import { AppError, NotFoundError } from '../../errors.ts';
import type { Change, Counters, Item, Key, Listing, Table, TableReader } from '../../ports/table.ts';
import { type Organisation, organisationKey, readOrganisation } from './organisation.ts';
import type { Plan } from './plan.ts';
import type { Role } from './role.ts';

/** The record of a key. Its secret is shown once, when it is created, and stored only as its SHA-256. */
export type ApiKey = {
  readonly keyId: string;
  readonly orgId: string;
  readonly name: string;
  readonly role: Role;
  readonly secretHash: string;
  /** The last four characters of the secret, by which people distinguish keys. */
  readonly hint: string;
  readonly createdAt: number;
  /** Named differently from `expiresAt`, by which the table would drop the record. */
  readonly validUntil?: number;
  readonly revokedAt?: number;
  /** The start of the hour in which the key was last used. */
  readonly lastUsedAt?: number;
};

export type Caller = { readonly orgId: string; readonly keyId: string; readonly role: Role; readonly plan: Plan };

type Deps = { readonly table: Table; readonly clock: Clock };
type CallDeps = { readonly table: TableReader & Counters; readonly clock: Clock };

const POINTER = 'KEY#';
const apiKeyKey = (keyId: string): Key => ({ pk: `KEY#${keyId}`, sk: 'KEY' });
/**
 * Returns the key of an item with the API key's last use. Every call writes it, while only calls that manage API keys
 * may write their records.
 */
const keyUseKey = (keyId: string): Key => ({ pk: `USED#${keyId}`, sk: 'USED' });
const apiKeyPointerKey = (orgId: string, keyId: string): Key => ({ pk: `ORG#${orgId}`, sk: POINTER + keyId });

const TOKEN = /^ssk_([0-9a-f-]{36})_([A-Za-z0-9_-]{32,64})$/;
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Maximum number of an organisation's keys, without revoked ones. */
const MAX_KEYS = 1000;
/** How long the list of keys still shows a revoked key. */
const REVOKED_SECONDS = 90 * 24 * 3600;
/** How long the list of keys shows when a key was last used. */
const USE_SECONDS = 400 * 24 * 3600;

/**
 * Creates a key. Returns its record, and the token for `Authorization: Bearer <token>`. `secret`: 32 to 64 random
 * URL-safe characters.
 */
export async function createApiKey(
  { secret, ...fields }: Pick<ApiKey, 'keyId' | 'orgId' | 'name' | 'role' | 'validUntil'> & { readonly secret: string },
  { table, clock }: Deps,
): Promise<{ readonly key: ApiKey; readonly token: string }> {
  const { keyId, orgId } = fields;
  const token = `ssk_${keyId}_${secret}`;
  if (!TOKEN.test(token)) throw new RangeError('a key needs a UUID and 32 to 64 URL-safe characters');
  const secretHash = sha256(secret).toString('hex');
  const key: ApiKey = { ...fields, secretHash, hint: secret.slice(-4), createdAt: epochSeconds(clock) };
  const counted: Change = {
    update: organisationKey(orgId),
    add: { keys: 1 },
    when: { exists: true, below: { keys: MAX_KEYS } },
  };
  const refused = await table.write([
    counted,
    { put: { ...apiKeyKey(keyId), ...key }, when: { exists: false } },
    { put: apiKeyPointerKey(orgId, keyId) },
  ]);
  if (refused.includes(counted)) {
    if (!(await readOrganisation(orgId, table))) throw new NotFoundError('Organisation');
    throw new AppError('plan_limit', `The organisation has ${MAX_KEYS} API keys: revoke those that are not used`);
  }
  if (refused.length > 0) throw new RangeError(`the key ${keyId} exists already`);
  return { key, token };
}

export async function readApiKey(keyId: string, table: TableReader): Promise<ApiKey | undefined> {
  const [key] = await readApiKeys([keyId], table);
  return key;
}

async function readApiKeys(keyIds: readonly string[], table: TableReader): Promise<readonly (ApiKey | undefined)[]> {
  const items = await table.getMany([...keyIds.map(apiKeyKey), ...keyIds.map(keyUseKey)]);
  return keyIds.map((_, i) => items[i] && ({ ...items[i], ...lastUse(items[keyIds.length + i]) } as unknown as ApiKey));
}

const lastUse = (use: Item | undefined): Pick<ApiKey, 'lastUsedAt'> =>
  use === undefined ? {} : { lastUsedAt: Number(use.lastUsedAt) };

export type KeyList = { readonly limit: number; readonly cursor?: string | undefined };

/** Lists the keys of an organisation, newest first. */
export async function keysOf(orgId: string, { limit, cursor }: KeyList, table: TableReader): Promise<Listing<ApiKey>> {
  const after = cursor === undefined ? {} : { after: POINTER + cursor };
  const pointers = await table.query(`ORG#${orgId}`, { prefix: POINTER, descending: true, limit, ...after });
  const keyIds = pointers.items.map(({ sk }) => sk.slice(POINTER.length));
  const items = (await readApiKeys(keyIds, table)).filter((key) => key !== undefined);
  return { items, ...(pointers.next !== undefined && { next: pointers.next.slice(POINTER.length) }) };
}

/** Returns whether a key is neither revoked nor expired. */
export const isValid = ({ revokedAt, validUntil = Infinity }: ApiKey, clock: Clock): boolean =>
  revokedAt === undefined && validUntil > epochSeconds(clock);

/**
 * Returns the owner of a token; undefined if the token is malformed, unknown, revoked or expired. Key and organisation
 * are read each time, so that a revocation or a changed plan takes effect at once.
 */
export async function authenticate(token: string, deps: CallDeps): Promise<Caller | undefined> {
  const { table, clock } = deps;
  const [, keyId, secret] = TOKEN.exec(token) ?? [];
  if (!keyId || !secret) return undefined;
  const key = await readApiKey(keyId, table);
  if (!key || !timingSafeEqual(Buffer.from(key.secretHash, 'hex'), sha256(secret))) return undefined;
  if (!isValid(key, clock)) return undefined;
  const organisation: Organisation | undefined = await readOrganisation(key.orgId, table);
  if (!organisation) return undefined;
  await noteUse(key, deps);
  return { orgId: key.orgId, keyId, role: key.role, plan: organisation.plan };
}

/** Records the use of a key, once per hour. If the write fails, the next call repeats it. */
async function noteUse({ keyId, lastUsedAt = 0 }: ApiKey, { table, clock }: CallDeps): Promise<void> {
  const now = epochSeconds(clock);
  const hour = now - (now % 3600);
  if (lastUsedAt >= hour) return;
  const set = { lastUsedAt: hour, expiresAt: hour + USE_SECONDS };
  await table.update(keyUseKey(keyId), { set, when: { below: { lastUsedAt: hour } } }).catch(() => undefined);
}

/** Returns the changes that revoke a key. Refused if another request has revoked it first. */
export function revocation({ keyId, orgId }: ApiKey, clock: Clock): readonly Change[] {
  const revokedAt = epochSeconds(clock);
  const expiresAt = revokedAt + REVOKED_SECONDS;
  const when = { exists: true, equals: { revokedAt: null } };
  return [
    { update: apiKeyKey(keyId), set: { revokedAt, expiresAt }, when },
    { update: apiKeyPointerKey(orgId, keyId), set: { expiresAt } },
    { update: organisationKey(orgId), add: { keys: -1 } },
  ];
}

/** Returns a condition that holds if the key has not been revoked since. */
export const notRevoked = ({ keyId }: ApiKey): Change => ({
  check: apiKeyKey(keyId),
  when: { exists: true, equals: { revokedAt: null } },
});
