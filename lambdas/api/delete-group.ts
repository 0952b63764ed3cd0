import { table } from '#adapters/table';
import { deleteGroup } from '../domain/sites/groups/manage-groups.ts';
import { groups } from '../routes/groups.ts';
import { endpoint } from '../runtime/endpoint.ts';

export const handler = endpoint(groups['delete-group'], async ({ params, caller }) => {
  await deleteGroup(params.groupId, caller, table);
  return undefined;
});
