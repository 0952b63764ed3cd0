import * as z from 'zod';
import { Plan } from '../core/access/plan.ts';
import { Role } from '../core/access/role.ts';
import { NoParams, pageQuery } from './parameters.ts';
import { Count, EpochSeconds, paging } from './response-fields.ts';
import { admin, member, type Route } from './route.ts';

export const ApiKey = z
  .object({
    keyId: z.uuid(),
    name: z.string(),
    role: Role,
    hint: z.string().describe('the last four characters of the key'),
    createdAt: EpochSeconds,
    expiresAt: EpochSeconds.nullable(),
    revokedAt: EpochSeconds.nullable(),
    lastUsedAt: EpochSeconds.nullable().describe('in epoch seconds, to the hour'),
  })
  .meta({ id: 'ApiKey' });

const NewApiKey = ApiKey.extend({ apiKey: z.string().describe('shown only in this response') }).meta({
  id: 'NewApiKey',
});

/** The end of the year 9999: a later time is one in milliseconds. */
const LAST_SECOND = 253_402_300_799;

export const CreateKeyRequest = z
  .object({
    name: z.string().trim().min(1).max(200),
    role: Role.default('member').describe('at most the role of the calling key'),
    expiresAt: EpochSeconds.min(1).max(LAST_SECOND).nullable().optional().describe('in the future, in epoch seconds'),
  })
  .meta({ id: 'CreateKeyRequest' });

export const Organisation = z
  .object({
    orgId: z.uuid(),
    name: z.string(),
    plan: Plan,
    role: Role.describe('the role of the calling key'),
    quotas: z.object({ sites: Count, groups: Count, pagesPerSite: Count, aiTokensPerMonth: Count }),
    use: z.object({ sites: Count, groups: Count, pagesOfLargestSite: Count, aiTokensThisMonth: Count }),
  })
  .meta({ id: 'Organisation' });

export const keys = {
  'list-keys': {
    method: 'get',
    paths: ['/keys'],
    summary: 'List the API keys of the organisation, newest first, without secrets; a revoked key for 90 days',
    access: admin,
    params: NoParams,
    query: pageQuery({ maxLimit: 100 }).extend({ cursor: z.uuid().optional() }),
    status: 200,
    response: z.object({ keys: z.array(ApiKey), ...paging }),
  },
  'create-key': {
    method: 'post',
    paths: ['/keys'],
    summary: 'Create an API key; its secret is shown only once',
    access: admin,
    params: NoParams,
    body: CreateKeyRequest,
    status: 201,
    response: NewApiKey,
    errors: ['plan_limit'],
  },
  'revoke-key': {
    method: 'delete',
    paths: ['/keys/{keyId}'],
    summary: 'Revoke an API key; it stops working within 30 seconds',
    access: admin,
    params: z.object({ keyId: z.uuid() }),
    status: 200,
    response: ApiKey,
    errors: ['last_owner_key'],
  },
  'get-organisation': {
    method: 'get',
    paths: ['/organisation'],
    summary: 'Get the organisation of the key: plan, role, quotas and use',
    access: member,
    params: NoParams,
    status: 200,
    response: Organisation,
  },
} as const satisfies Record<string, Route>;
