import * as z from 'zod';
import { Plan } from '../core/access/plan.ts';
import { Role } from '../core/access/role.ts';
import { Count, EpochSeconds, paging } from './answers.ts';
import { NoParams, pagedBy } from './parameters.ts';
import type { Route } from './route.ts';

export const ApiKey = z
  .object({
    keyId: z.uuid(),
    name: z.string(),
    role: Role,
    hint: z.string().describe('the last four characters'),
    createdAt: EpochSeconds,
    expiresAt: EpochSeconds.nullable(),
    revokedAt: EpochSeconds.nullable(),
    lastUsedAt: EpochSeconds.nullable().describe('epoch seconds, to the hour'),
  })
  .meta({ id: 'ApiKey' });

const NewApiKey = ApiKey.extend({ apiKey: z.string().describe('shown this once') }).meta({ id: 'NewApiKey' });

export const CreateKeyRequest = z
  .object({
    name: z.string().trim().min(1).max(200),
    role: Role.default('member').describe('at most the role of the key that asks'),
    expiresAt: EpochSeconds.min(1).optional(),
  })
  .meta({ id: 'CreateKeyRequest' });
export type CreateKeyRequest = z.infer<typeof CreateKeyRequest>;

export const Organisation = z
  .object({
    orgId: z.uuid(),
    name: z.string(),
    plan: Plan,
    role: Role.describe('of the key that asks'),
    quotas: z.object({ sites: Count, pagesPerSite: Count, aiTokensPerMonth: Count }),
    use: z.object({ sites: Count, aiTokensThisMonth: Count }),
  })
  .meta({ id: 'Organisation' });

export const keys = {
  'list-keys': {
    method: 'get',
    paths: ['/keys'],
    summary: 'The API keys of the organisation, without their secrets',
    access: { role: 'admin' },
    params: NoParams,
    query: z.object(pagedBy({ most: 100 })),
    status: 200,
    response: z.object({ keys: z.array(ApiKey), ...paging }),
    pending: true,
  },
  'create-key': {
    method: 'post',
    paths: ['/keys'],
    summary: 'Makes an API key; its secret is shown this once',
    access: { role: 'admin' },
    params: NoParams,
    body: CreateKeyRequest,
    status: 201,
    response: NewApiKey,
    pending: true,
  },
  'revoke-key': {
    method: 'delete',
    paths: ['/keys/{keyId}'],
    summary: 'Revokes an API key; it stops working within 30 seconds',
    access: { role: 'admin' },
    params: z.object({ keyId: z.uuid() }),
    status: 200,
    response: ApiKey,
    pending: true,
  },
  'get-organisation': {
    method: 'get',
    paths: ['/organisation'],
    summary: 'Whose key this is: plan, role, quotas and use',
    access: { role: 'member' },
    params: NoParams,
    status: 200,
    response: Organisation,
    pending: true,
  },
} as const satisfies Record<string, Route>;
