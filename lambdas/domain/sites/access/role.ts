import * as z from 'zod';

/** Each role includes those after it. */
export const Role = z.enum(['owner', 'admin', 'member']);
export type Role = z.infer<typeof Role>;

const RANK: Readonly<Record<Role, number>> = { member: 0, admin: 1, owner: 2 };

export const roleIncludes = (role: Role, atLeast: Role): boolean => RANK[role] >= RANK[atLeast];
