import { table } from '#adapters/table';
import { createKey } from '../domain/sites/access/manage-keys.ts';
import { keys } from '../routes/keys.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock, newId, newSecret } from '../runtime/system.ts';

export const handler = endpoint(keys['create-key'], ({ body, caller }) =>
  createKey(body, caller, { table, clock, newId, newSecret }),
);
