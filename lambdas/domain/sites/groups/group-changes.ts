import * as z from 'zod';
import { McpChanges, PublicAccessChanges, RateLimitChanges } from '../site-changes.ts';

/** Changes are merged by the rules of a site (domain/sites/site-changes.ts). */
export const CreateGroupRequest = z
  .strictObject({
    name: z.string().trim().min(1).max(200).describe('the name of the group'),
    siteIds: z.array(z.uuid()).min(1).max(1000).describe('the sites that are searched together'),
    description: z.string().max(2000).nullable().optional().describe('for people; null clears it'),
    publicAccess: PublicAccessChanges.optional().describe('who may search the group'),
    mcp: McpChanges.optional().describe('what the MCP server of the group offers to agents'),
    rateLimits: RateLimitChanges.optional().describe('limits of its visitors in place of the usual ones'),
  })
  .meta({ id: 'CreateGroupRequest' });
export type CreateGroupRequest = z.infer<typeof CreateGroupRequest>;

export const UpdateGroupRequest = CreateGroupRequest.partial({ name: true, siteIds: true }).meta({
  id: 'UpdateGroupRequest',
});
export type UpdateGroupRequest = z.infer<typeof UpdateGroupRequest>;
