import { tableReader } from '#adapters/table';
import { getGroup } from '../domain/sites/groups/manage-groups.ts';
import { groups } from '../routes/groups.ts';
import { endpoint } from '../runtime/endpoint.ts';

export const handler = endpoint(groups['get-group'], ({ params, caller }) =>
  getGroup(params.groupId, caller, tableReader),
);
