import * as z from 'zod';
import { CreateGroupRequest, UpdateGroupRequest } from '../domain/sites/groups/group-changes.ts';
import { Mcp, PublicAccess, RateLimits } from '../domain/sites/site-settings.ts';
import { GroupParams, NoParams } from './parameters.ts';
import { bodyAbout } from './request-body.ts';
import { EpochSeconds } from './response-fields.ts';
import type { Route } from './route.ts';

export const SearchGroup = z
  .object({
    groupId: GroupParams.shape.groupId,
    name: z.string().describe('the name of the group'),
    description: z.string().optional().describe('for people'),
    siteIds: z.array(z.uuid()).describe('the sites that are searched together'),
    publicAccess: PublicAccess.describe('who may search the group'),
    mcp: Mcp.describe('what the MCP server of the group offers to agents'),
    rateLimits: RateLimits.describe('limits of its visitors in place of the usual ones'),
    createdAt: EpochSeconds.describe('when it was created, in epoch seconds'),
  })
  .meta({ id: 'SearchGroup' });

const SearchGroupList = z
  .object({ groups: z.array(SearchGroup).describe('all groups of the organisation') })
  .meta({ id: 'SearchGroupList' });

const message = 'Search Groups require an Enterprise plan';
const forEnterprise = { role: 'member', plan: { atLeast: 'enterprise', code: 'plan_required', message } } as const;
/** The contract requires 402 for this endpoint. */
const forEnterpriseToCreate = { role: 'member', plan: { atLeast: 'enterprise', code: 'plan_limit', message } } as const;

export const groups = {
  'list-groups': {
    method: 'get',
    paths: ['/groups'],
    summary: 'List the search groups of the organisation',
    access: forEnterprise,
    params: NoParams,
    status: 200,
    response: SearchGroupList,
  },
  'create-group': {
    method: 'post',
    paths: ['/groups'],
    summary: 'Create a group of sites that are searched together',
    uses: ['table'],
    access: forEnterpriseToCreate,
    params: NoParams,
    body: bodyAbout(SearchGroup, CreateGroupRequest),
    status: 201,
    response: SearchGroup,
    errors: ['not_found'],
  },
  'get-group': {
    method: 'get',
    paths: ['/groups/{groupId}'],
    summary: 'Get a search group with its settings',
    access: forEnterprise,
    params: GroupParams,
    status: 200,
    response: SearchGroup,
  },
  'update-group': {
    method: 'put',
    paths: ['/groups/{groupId}'],
    summary: 'Change settings of a group, by the rules of a site',
    uses: ['table'],
    access: forEnterprise,
    params: GroupParams,
    body: bodyAbout(SearchGroup, UpdateGroupRequest),
    status: 200,
    response: SearchGroup,
    errors: ['not_found'],
  },
  'delete-group': {
    method: 'delete',
    paths: ['/groups/{groupId}'],
    summary: 'Delete a group; its sites stay',
    uses: ['table'],
    access: forEnterprise,
    params: GroupParams,
    status: 204,
  },
} as const satisfies Record<string, Route>;
