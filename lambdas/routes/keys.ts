import * as z from 'zod';
import { Plan } from '../domain/sites/access/plan.ts';
import { Role } from '../domain/sites/access/role.ts';
import { NoParams, pageQuery } from './parameters.ts';
import { Count, EpochSeconds, paging } from './response-fields.ts';
import { admin, member, type Route } from './route.ts';

const KeyName = z.string().describe('who or what uses the key');

export const ApiKey = z
  .object({
    keyId: z.uuid().describe('the id of the key, which is no secret'),
    name: KeyName,
    role: Role.describe('what the key may do: each role includes those after it'),
    hint: z.string().describe('the last four characters of the key'),
    createdAt: EpochSeconds.describe('when it was created, in epoch seconds'),
    expiresAt: EpochSeconds.nullable().describe('when it stops working, in epoch seconds; null: never'),
    revokedAt: EpochSeconds.nullable().describe('when it was revoked, in epoch seconds; null: not'),
    lastUsedAt: EpochSeconds.nullable().describe('in epoch seconds, to the hour; null: never'),
  })
  .meta({ id: 'ApiKey' });

/** Not called NewApiKey, because generators for Go give that name to the constructor of ApiKey. */
const CreatedApiKey = ApiKey.extend({ apiKey: z.string().describe('shown only in this response') }).meta({
  id: 'CreatedApiKey',
});

const ApiKeyList = z.object({ keys: z.array(ApiKey).describe('newest first'), ...paging }).meta({ id: 'ApiKeyList' });

/** The end of the year 9999. A later time is probably in milliseconds. */
const LAST_SECOND = 253_402_300_799;

export const CreateKeyRequest = z
  .object({
    name: KeyName.trim().min(1).max(200),
    role: Role.default('member').describe('at most the role of the calling key'),
    expiresAt: EpochSeconds.min(1).max(LAST_SECOND).nullable().optional().describe('in the future, in epoch seconds'),
  })
  .meta({ id: 'CreateKeyRequest' });

export const Organisation = z
  .object({
    orgId: z.uuid().describe('the id of the organisation'),
    name: z.string().describe('the name of the organisation'),
    plan: Plan.describe('what the quotas follow from'),
    role: Role.describe('the role of the calling key'),
    quotas: z
      .object({
        sites: Count.describe('sites, at most'),
        groups: Count.describe('search groups, at most'),
        pagesPerSite: Count.describe('indexed pages of a site, at most'),
        aiTokensPerMonth: Count.describe('tokens of models in a month (UTC), at most'),
      })
      .describe('what the plan includes'),
    use: z
      .object({
        sites: Count.describe('sites'),
        groups: Count.describe('search groups'),
        pagesOfLargestSite: Count.describe('indexed pages of the site with the most'),
        aiTokensThisMonth: Count.describe('tokens of models in this month (UTC)'),
      })
      .describe('what is used of it now'),
  })
  .meta({ id: 'Organisation' });

export const keys = {
  'list-keys': {
    method: 'get',
    paths: ['/keys'],
    summary: 'List the API keys of the organisation, newest first, without secrets; a revoked key for 90 days',
    access: admin,
    params: NoParams,
    query: pageQuery({ maxLimit: 100 }).extend({
      cursor: z.uuid().optional().describe('`nextCursor` of the previous page'),
    }),
    status: 200,
    response: ApiKeyList,
  },
  'create-key': {
    method: 'post',
    paths: ['/keys'],
    summary: 'Create an API key; its secret is shown only once',
    uses: ['table'],
    access: admin,
    params: NoParams,
    body: CreateKeyRequest,
    status: 201,
    response: CreatedApiKey,
    errors: ['plan_limit'],
  },
  'revoke-key': {
    method: 'delete',
    paths: ['/keys/{keyId}'],
    summary: 'Revoke an API key; it stops working within 30 seconds',
    uses: ['table'],
    access: admin,
    params: ApiKey.pick({ keyId: true }),
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
