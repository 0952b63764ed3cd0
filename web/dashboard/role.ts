import { useQuery } from '@tanstack/react-query';
import { organisationQuery, type Schemas } from './api.ts';
import { useShellTexts } from './texts/shell.ts';

export type Role = Schemas['Organisation']['role'];

const RANK: Readonly<Record<Role, number>> = { member: 0, admin: 1, owner: 2 };

/**
 * Returns a function that says why the key may not do what needs a role; undefined if it may. Until the role of the key
 * is known, it allows everything, and the service decides.
 */
export function useRefusal(): (needed: Role) => string | undefined {
  const { data } = useQuery(organisationQuery());
  const t = useShellTexts();
  return (needed) => (data && RANK[data.role] < RANK[needed] ? t.needsRole(needed, data.role) : undefined);
}
