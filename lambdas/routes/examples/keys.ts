import { QUOTAS } from '../../domain/sites/access/plan.ts';
import type { keys as routes } from '../keys.ts';
import { type Example, IDS, NOW } from './example.ts';

const key = {
  keyId: IDS.keyId,
  name: 'Deployment',
  role: 'member',
  hint: 'x7Qd',
  createdAt: NOW,
  expiresAt: NOW + 31_536_000,
  revokedAt: null,
  lastUsedAt: null,
};

export const keys = {
  'list-keys': { query: { limit: 20 }, response: { keys: [key], nextCursor: null, hasMore: false } },
  'create-key': {
    body: { name: key.name, expiresAt: key.expiresAt },
    response: { ...key, apiKey: 'ssk_shown-only-in-this-answer-x7Qd' },
  },
  'revoke-key': { response: { ...key, revokedAt: NOW + 60 } },
  'get-organisation': {
    response: {
      orgId: IDS.orgId,
      name: 'Acme',
      plan: 'pro',
      role: 'owner',
      quotas: QUOTAS.pro,
      use: { sites: 1, groups: 0, pagesOfLargestSite: 1149, aiTokensThisMonth: 22_400 },
    },
  },
} satisfies Record<keyof typeof routes, Example>;
