import * as z from 'zod';
import { PublicAccessChanges, RateLimitChanges } from '../sites/site-changes.ts';

const Name = z.string().trim().min(1).max(200);
const Description = z.string().max(2000);
const SiteIds = z.array(z.uuid()).min(1).max(1000);

export const CreateGroupRequest = z
  .object({
    name: Name,
    siteIds: SiteIds,
    description: Description.optional(),
    publicAccess: PublicAccessChanges.optional(),
  })
  .meta({ id: 'CreateGroupRequest' });
export type CreateGroupRequest = z.infer<typeof CreateGroupRequest>;

/** Merged by the rules of a site (core/sites/site-changes.ts). */
export const UpdateGroupRequest = z
  .object({
    name: Name.optional(),
    siteIds: SiteIds.optional(),
    description: Description.nullable().optional(),
    publicAccess: PublicAccessChanges.optional(),
    rateLimits: RateLimitChanges.optional(),
  })
  .meta({ id: 'UpdateGroupRequest' });
export type UpdateGroupRequest = z.infer<typeof UpdateGroupRequest>;
