import { tableReader } from '#adapters/table';
import { listKeys } from '../domain/sites/access/manage-keys.ts';
import { keys } from '../routes/keys.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { pageInfo } from '../runtime/responses.ts';

export const handler = endpoint(keys['list-keys'], async ({ query, caller }) => {
  const page = await listKeys(query, caller, tableReader);
  return { keys: page.items, ...pageInfo(page) };
});
