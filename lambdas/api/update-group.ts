import { table } from '#adapters/table';
import { updateGroup } from '../domain/sites/groups/manage-groups.ts';
import { groups } from '../routes/groups.ts';
import { endpoint } from '../runtime/endpoint.ts';

export const handler = endpoint(groups['update-group'], ({ params, body, caller }) =>
  updateGroup(params.groupId, body, caller, table),
);
