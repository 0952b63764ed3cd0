import { table } from '#adapters/table';
import { createGroup } from '../domain/sites/groups/manage-groups.ts';
import { groups } from '../routes/groups.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock, newId } from '../runtime/system.ts';

export const handler = endpoint(groups['create-group'], ({ body, caller }) =>
  createGroup(body, caller, { table, clock, newId }),
);
