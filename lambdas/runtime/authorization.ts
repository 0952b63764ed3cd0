import { authenticate, type Caller } from '../core/access/api-key.ts';
import { effectiveOrigin, originAllowed } from '../core/access/origin.ts';
import { planIncludes } from '../core/access/plan.ts';
import { roleIncludes } from '../core/access/role.ts';
import type { Clock } from '../core/clock.ts';
import { AppError, NotFoundError } from '../core/errors.ts';
import type { Table } from '../core/ports/table.ts';
import { readSite } from '../core/sites/site.ts';
import type { PublicAccess } from '../core/sites/site-settings.ts';
import type { Access } from '../routes/route.ts';
import { type ApiEvent, header } from './api-event.ts';

type AdmissionDeps = { readonly table: Table; readonly clock: Clock };

/** Lets the right ones in, and notes on the event who calls, which site they ask and which origin to echo. */
export async function admit(access: Access, event: ApiEvent, deps: AdmissionDeps): Promise<void> {
  event.caller = await callerOf(event, deps);
  if ('gate' in access) await passGate(access, event, deps);
  else admitCaller(access, event);
}

const BEARER = /^Bearer +(\S+)$/i;

async function callerOf(event: ApiEvent, deps: AdmissionDeps): Promise<Caller | undefined> {
  const [, token] = BEARER.exec(header(event, 'authorization')?.trim() ?? '') ?? [];
  return token === undefined ? undefined : authenticate(token, deps);
}

function admitCaller(access: Extract<Access, { readonly role: unknown }>, { caller, pathParameters }: ApiEvent): void {
  if (!caller) throw new AppError('unauthorized', 'A valid API key is required: `Authorization: Bearer <API_KEY>`');
  const orgId = pathParameters?.orgId;
  if (orgId !== undefined && orgId !== caller.orgId) throw new NotFoundError('Organisation');
  if (access.plan && !planIncludes(caller.plan, access.plan.atLeast)) {
    throw new AppError(access.plan.code, access.plan.message);
  }
  if (!roleIncludes(caller.role, access.role)) {
    throw new AppError('forbidden_role', `This needs a key with the role ${access.role}; this key's is ${caller.role}`);
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Public access must be on, and the origin admitted; a key of the site's organisation stands in for the origin. */
async function passGate(
  { gate, of }: Extract<Access, { readonly gate: unknown }>,
  event: ApiEvent,
  { table }: AdmissionDeps,
): Promise<void> {
  const siteId = event.pathParameters?.siteId;
  if (of === 'group') return; // groups are not served yet, so there is none to ask
  const site = siteId !== undefined && UUID.test(siteId) ? await readSite(siteId, table) : undefined;
  if (!site) throw new NotFoundError('Site');
  event.site = site;
  const { publicAccess, orgId } = site.settings;
  // The origin by which the edge keeps an answer is the one to judge and to echo: no answer for one origin is given to another.
  const stated = header(event, 'x-effective-origin') ?? header(event, 'origin');
  const origin = effectiveOrigin(stated, header(event, 'referer'));
  const isAllowed = originAllowed(origin, publicAccess.allowedDomains);
  if (isAllowed) event.allowedOrigin = stated || undefined;
  if (event.caller?.orgId !== orgId) event.caller = undefined;
  checkAccess(publicAccess, gate);
  if (isAllowed || event.caller) return;
  const refused = `This site does not admit the origin ${origin ?? '(none)'}: its owner can add it to allowedDomains`;
  throw new AppError('origin_not_allowed', refused);
}

function checkAccess({ enabled, searchEnabled, chatEnabled }: PublicAccess, gate: 'search' | 'chat'): void {
  if (!enabled) throw new AppError('feature_disabled', 'Public access to this site is off: its owner can turn it on');
  const isOn = gate === 'search' ? searchEnabled : chatEnabled;
  if (!isOn) throw new AppError('feature_disabled', `Public ${gate} is off for this site: its owner can turn it on`);
}
