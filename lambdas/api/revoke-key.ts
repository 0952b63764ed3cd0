import { table } from '#adapters/table';
import { revokeKey } from '../domain/sites/access/manage-keys.ts';
import { keys } from '../routes/keys.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock } from '../runtime/system.ts';

export const handler = endpoint(keys['revoke-key'], ({ params, caller }) =>
  revokeKey(params.keyId, caller, { table, clock }),
);
