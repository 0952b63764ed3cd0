import { NEW_PUBLIC_ACCESS } from '../../domain/sites/site-settings.ts';
import type { groups as routes } from '../groups.ts';
import { type Example, IDS, NOW } from './example.ts';

const siteIds = [IDS.siteId, '52a8e3c1-0f6d-4b97-86da-3e1f9c0b7a87'];
const publicAccess = { enabled: true, allowedDomains: ['*.example.com'] };
const description = 'Product manuals and the help centre';
const described = {
  groupId: IDS.groupId,
  name: 'All manuals',
  siteIds,
  publicAccess: { ...NEW_PUBLIC_ACCESS, ...publicAccess },
  mcp: { answer: false },
  rateLimits: {},
  createdAt: NOW,
};
const group = { ...described, description };

export const groups = {
  'list-groups': { response: { groups: [group] } },
  'create-group': { body: { name: group.name, description, siteIds, publicAccess }, response: group },
  'get-group': { response: group },
  'update-group': {
    body: { rateLimits: { searchPerMinute: 3000 }, description: null },
    response: { ...described, rateLimits: { searchPerMinute: 3000 } },
  },
  'delete-group': {},
} satisfies Record<keyof typeof routes, Example>;
