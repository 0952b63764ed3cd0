import type { Clock } from '../domain/clock.ts';
import { AppError, NotFoundError } from '../domain/errors.ts';
import type { Counters, TableReader } from '../domain/ports/table.ts';
import { authenticate, type Caller } from '../domain/sites/access/api-key.ts';
import { readOrganisation } from '../domain/sites/access/organisation.ts';
import { effectiveOrigin, originAllowed } from '../domain/sites/access/origin.ts';
import { planIncludes, QUOTAS } from '../domain/sites/access/plan.ts';
import { roleIncludes } from '../domain/sites/access/role.ts';
import { readGroup } from '../domain/sites/groups/group.ts';
import { readSite } from '../domain/sites/site.ts';
import type { PublicAccess } from '../domain/sites/site-settings.ts';
import { GroupParams, SiteParams } from '../routes/parameters.ts';
import type { Access } from '../routes/route.ts';
import { type ApiEvent, fromEdge, header } from './api-event.ts';

type AuthorizationDeps = { readonly table: TableReader & Counters; readonly clock: Clock };

/** Refuses a caller without access. Otherwise sets the event's caller, site or group, and allowed origin. */
export async function authorize(access: Access, event: ApiEvent, deps: AuthorizationDeps): Promise<void> {
  event.caller = await callerOf(event, deps);
  if ('feature' in access) await authorizeVisitor(access, event, deps);
  else authorizeKey(access, event);
}

const BEARER = /^Bearer +(\S+)$/i;

/** Returns the caller, if the request has a valid key. */
export async function callerOf(event: Pick<ApiEvent, 'headers'>, deps: AuthorizationDeps): Promise<Caller | undefined> {
  const [, token] = BEARER.exec(header(event, 'authorization')?.trim() ?? '') ?? [];
  return token === undefined ? undefined : authenticate(token, deps);
}

function authorizeKey(access: Extract<Access, { readonly role: unknown }>, { caller, pathParameters }: ApiEvent): void {
  if (!caller)
    throw new AppError('unauthorized', 'A valid API key is required. Send it as `Authorization: Bearer <API_KEY>`.');
  const orgId = pathParameters?.orgId;
  if (orgId !== undefined && orgId !== caller.orgId) throw new NotFoundError('Organisation');
  if (access.plan && !planIncludes(caller.plan, access.plan.atLeast)) {
    throw new AppError(access.plan.code, access.plan.message);
  }
  if (!roleIncludes(caller.role, access.role)) {
    const message = `This operation requires at least the role ${access.role}; this key has the role ${caller.role}`;
    throw new AppError('forbidden_role', message);
  }
}

/** Requires the feature to be on, and public access with an allowed origin or a key of the organisation. */
async function authorizeVisitor(
  { feature, scope }: Extract<Access, { readonly feature: unknown }>,
  event: ApiEvent,
  { table }: AuthorizationDeps,
): Promise<void> {
  const visit: (typeof VISITS)[typeof scope] | undefined = VISITS[scope];
  if (!visit) throw closed(feature);
  const { publicAccess, orgId } = await visit(event, table);
  // The CDN caches responses by the origin that it states, so the check must use the same one.
  const stated = fromEdge(event, 'x-effective-origin') ?? header(event, 'origin');
  const origin = effectiveOrigin(stated, header(event, 'referer'));
  const isAllowed = originAllowed(origin, publicAccess.allowedDomains);
  if (isAllowed) event.allowedOrigin = stated || undefined;
  // For the edge, the origin includes that of a Referer. A cache in front of a server distinguishes callers by Origin
  // only.
  event.isAllowedByReferer = isAllowed && !originAllowed(stated || undefined, publicAccess.allowedDomains);
  if (event.caller?.orgId !== orgId) event.caller = undefined;
  requireFeature(publicAccess, feature, event.caller !== undefined);
  // Agents are programs, which send no origin. The setting that admits them says so.
  if (isAllowed || event.caller || (feature === 'mcp' && origin === undefined)) return;
  const refusal = `This ${scope} does not allow the origin ${origin ?? '(none)'}.`;
  throw new AppError('origin_not_allowed', `${refusal} Its owner can add it to allowedDomains.`);
}

type Visited = { readonly orgId: string; readonly publicAccess: PublicAccess };

async function visitSite(event: ApiEvent, table: TableReader): Promise<Visited> {
  const params = SiteParams.safeParse(event.pathParameters);
  const site = params.success ? await readSite(params.data.siteId, table) : undefined;
  if (!site) throw new NotFoundError('Site');
  event.site = site;
  return site.settings;
}

/**
 * Reads a group. It is closed while its organisation's plan does not include groups. The access settings of its sites
 * do not matter.
 */
async function visitGroup(event: ApiEvent, table: TableReader): Promise<Visited> {
  const params = GroupParams.safeParse(event.pathParameters);
  const group = params.success ? await readGroup(params.data.groupId, table) : undefined;
  if (!group) throw new NotFoundError('Group');
  event.group = group;
  const organisation = await readOrganisation(group.orgId, table);
  if (!organisation || QUOTAS[organisation.plan].groups === 0)
    throw new AppError(
      'feature_disabled',
      'The plan of the organisation of this group does not include search groups.',
    );
  return group;
}

/** A route whose scope or feature is not listed here is closed. */
const VISITS = { site: visitSite, group: visitGroup } as const;
const FEATURES = { search: 'searchEnabled', chat: 'chatEnabled', mcp: 'mcpEnabled' } as const;

function requireFeature(publicAccess: PublicAccess, feature: keyof typeof FEATURES, hasKey: boolean): void {
  const setting: (typeof FEATURES)[typeof feature] | undefined = FEATURES[feature];
  if (!setting) throw closed(feature);
  if ((publicAccess.enabled || hasKey) && publicAccess[setting]) return;
  const message = `Public ${feature} is off. The owner can turn on publicAccess.enabled and publicAccess.${setting}.`;
  throw new AppError('feature_disabled', message);
}

const closed = (feature: string): AppError => new AppError('feature_disabled', `Public ${feature} is not available.`);
