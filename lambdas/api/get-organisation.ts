import { tableReader } from '#adapters/table';
import { organisationUse } from '../domain/sites/access/organisation-use.ts';
import { keys } from '../routes/keys.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock } from '../runtime/system.ts';

export const handler = endpoint(keys['get-organisation'], ({ caller }) =>
  organisationUse(caller, { table: tableReader, clock }),
);
