import { tableReader } from '#adapters/table';
import { listGroups } from '../domain/sites/groups/manage-groups.ts';
import { groups } from '../routes/groups.ts';
import { endpoint } from '../runtime/endpoint.ts';

export const handler = endpoint(groups['list-groups'], async ({ caller }) => ({
  groups: await listGroups(caller, tableReader),
}));
