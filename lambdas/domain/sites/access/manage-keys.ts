import { defined } from '../../../text/defined.ts';
import { type Clock, epochSeconds } from '../../clock.ts';
import { AppError, NotFoundError } from '../../errors.ts';
import { retryWhenOvertaken } from '../../optimistic-retry.ts';
import type { Change, Listing, Table, TableReader } from '../../ports/table.ts';
import {
  type ApiKey,
  type Caller,
  createApiKey,
  isValid,
  type KeyList,
  keysOf,
  notRevoked,
  readApiKey,
  revocation,
} from './api-key.ts';
import { type Role, roleIncludes } from './role.ts';

/*
 * A key creates and revokes keys up to its own role. The operator, who runs `npm run admin`, acts as an owner and may
 * also revoke the last owner key, because the operator can create another.
 */

type Deps = { readonly table: Table; readonly clock: Clock };
type CreateDeps = Deps & { readonly newId: () => string; readonly newSecret: () => string };
type Actor = Pick<Caller, 'orgId' | 'role'>;

export type NewKey = { readonly name: string; readonly role: Role; readonly expiresAt?: number | null | undefined };

/** Creates a key. Returns it with its token, which is shown only here. */
export async function createKey({ name, role, expiresAt }: NewKey, { orgId, role: by }: Actor, deps: CreateDeps) {
  requireRole(role, by);
  const validUntil = expiresAt ?? undefined;
  if (validUntil !== undefined && validUntil <= epochSeconds(deps.clock)) throw expired();
  const fields = {
    keyId: deps.newId(),
    orgId,
    name,
    role,
    secret: deps.newSecret(),
    ...defined({ validUntil }),
  };
  const { key, token } = await createApiKey(fields, deps);
  return { ...keyView(key), apiKey: token };
}

export async function listKeys(list: KeyList, { orgId }: Pick<Actor, 'orgId'>, table: TableReader) {
  const page: Listing<ApiKey> = await keysOf(orgId, list, table);
  return { ...page, items: page.items.map(keyView) };
}

/** Revokes a key. For a revoked key, it returns the first revocation. One valid owner key always remains. */
export const revokeKey = (keyId: string, { orgId, role }: Actor, deps: Deps) =>
  revoke(keyId, deps, async (key) => {
    if (key.orgId !== orgId) throw new NotFoundError('Key');
    requireRole(key.role, role);
    return key.role === 'owner' && key.revokedAt === undefined ? [await anotherOwnerKey(key, deps)] : [];
  });

/** Revokes any key, for the operator. */
export const revokeAnyKey = (keyId: string, deps: Deps) => revoke(keyId, deps, async () => []);

const ATTEMPTS = 20;

async function revoke(keyId: string, deps: Deps, guardsOf: (key: ApiKey) => Promise<readonly Change[]>) {
  const { table, clock } = deps;
  const key = await retryWhenOvertaken(ATTEMPTS, 'other requests keep changing the keys: try again', async () => {
    const present = await readApiKey(keyId, table);
    if (!present) throw new NotFoundError('Key');
    const guards = await guardsOf(present);
    if (present.revokedAt !== undefined) return present;
    const now = clock();
    const refused = await table.write([...guards, ...revocation(present, () => now)]);
    return refused.length === 0 ? { ...present, revokedAt: epochSeconds(() => now) } : undefined;
  });
  return keyView(key);
}

/** Returns the condition that another owner key remains. If two requests revoke the last two, one is refused. */
async function anotherOwnerKey({ keyId, orgId }: ApiKey, { table, clock }: Deps): Promise<Change> {
  let longest: ApiKey | undefined;
  let cursor: string | undefined;
  do {
    const { items, next } = await keysOf(orgId, { limit: KEYS_READ, cursor }, table);
    for (const key of items) {
      const counts = key.keyId !== keyId && key.role === 'owner' && isValid(key, clock);
      if (counts && (!longest || (key.validUntil ?? Infinity) > (longest.validUntil ?? Infinity))) longest = key;
    }
    cursor = next;
  } while (cursor !== undefined);
  if (longest) return notRevoked(longest);
  throw new AppError(
    'last_owner_key',
    'This is the last valid owner key of the organisation. Create another owner key first.',
  );
}

const KEYS_READ = 100;

function requireRole(role: Role, by: Role): void {
  if (roleIncludes(by, role)) return;
  const refusal = `A key with the role ${by} cannot create or revoke one with the role ${role}.`;
  throw new AppError('forbidden_role', `${refusal} Use a key with at least that role.`);
}

function expired(): AppError {
  const message = 'must be in the future, in epoch seconds';
  const issues = [{ path: 'body.expiresAt', message }];
  return new AppError('invalid_request', `Invalid request: body.expiresAt ${message}`, { issues });
}

const keyView = ({ keyId, name, role, hint, createdAt, validUntil, revokedAt, lastUsedAt }: ApiKey) => ({
  keyId,
  name,
  role,
  hint,
  createdAt,
  expiresAt: validUntil ?? null,
  revokedAt: revokedAt ?? null,
  lastUsedAt: lastUsedAt ?? null,
});
