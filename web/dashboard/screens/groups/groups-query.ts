import { queryOptions } from '@tanstack/react-query';
import { call, type Schemas } from '../../api.ts';

export type Group = Schemas['SearchGroup'];

export const groupsQuery = () =>
  queryOptions({ queryKey: ['groups'], queryFn: ({ signal }) => call('GET /groups', { signal }) });

export const groupQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['groups', groupId],
    queryFn: ({ signal }) => call('GET /groups/{groupId}', { path: { groupId }, signal }),
  });
