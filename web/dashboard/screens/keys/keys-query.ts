import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type Schemas } from '../../api.ts';
import { session } from '../../session.ts';

export type ApiKey = Schemas['ApiKey'];

export const keysQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ['keys', cursor],
    queryFn: ({ signal }) => call('GET /keys', { query: cursor === undefined ? {} : { cursor }, signal }),
    placeholderData: keepPreviousData,
  });

/** The id of the key that signs this tab in. It is between the underscores, and no secret. */
export function ownKeyId(): string | undefined {
  const current = session.get();
  return 'key' in current ? current.key.split('_')[1] : undefined;
}

export type KeyState = 'active' | 'expired' | 'revoked';

export function stateOf({ revokedAt, expiresAt }: ApiKey): KeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && 1000 * expiresAt <= Date.now() ? 'expired' : 'active';
}
