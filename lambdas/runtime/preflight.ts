import type { TableReader } from '../domain/ports/table.ts';
import { originAllowed } from '../domain/sites/access/origin.ts';
import { readGroup } from '../domain/sites/groups/group.ts';
import { readSite } from '../domain/sites/site.ts';
import type { PublicAccess } from '../domain/sites/site-settings.ts';
import { GroupParams, SiteParams } from '../routes/parameters.ts';
import { type ApiEvent, type ApiResponse, header } from './api-event.ts';
import { commonHeaders } from './responses.ts';
import type { RouteMatch } from './route-match.ts';

/**
 * Answers a CORS preflight. Only the public paths of a site or group allow other origins, and only those in its
 * settings.
 */
export async function preflight(
  here: readonly RouteMatch[],
  event: ApiEvent,
  table: TableReader,
): Promise<ApiResponse> {
  const origin = header(event, 'origin');
  const methods = here.map(({ route }) => route.method.toUpperCase());
  const common = {
    ...commonHeaders(event),
    Allow: [...methods, 'OPTIONS'].join(', '),
    Vary: 'Origin',
    'Cache-Control': 'no-store',
  };
  const isMcp = here.some(({ route }) => 'feature' in route.access && route.access.feature === 'mcp');
  const accepted = [...HEADERS, ...(isMcp ? MCP_HEADERS : [])];
  const cors = (await isAllowed(here, origin, table)) ? corsHeaders(methods, origin as string, accepted) : {};
  return { statusCode: 204, headers: { ...common, ...cors }, body: '' };
}

async function isAllowed(
  here: readonly RouteMatch[],
  origin: string | undefined,
  table: TableReader,
): Promise<boolean> {
  const isPublic = here.some(({ route }) => 'feature' in route.access);
  if (!isPublic || !origin) return false;
  const publicAccess = await publicAccessAt(here[0]?.params, table);
  return publicAccess !== undefined && originAllowed(origin, publicAccess.allowedDomains);
}

async function publicAccessAt(pathParams: unknown, table: TableReader): Promise<PublicAccess | undefined> {
  const site = SiteParams.safeParse(pathParams);
  if (site.success) return (await readSite(site.data.siteId, table))?.settings.publicAccess;
  const group = GroupParams.safeParse(pathParams);
  return group.success ? (await readGroup(group.data.groupId, table))?.publicAccess : undefined;
}

const HEADERS = ['Content-Type', 'Authorization', 'Content-Encoding'];
/** The headers that clients of MCP send, in its present and earlier revisions. */
const MCP_HEADERS = ['Mcp-Session-Id', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Last-Event-ID'];

const corsHeaders = (methods: readonly string[], origin: string, accepted: readonly string[]) => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Allow-Methods': methods.join(', '),
  'Access-Control-Allow-Headers': accepted.join(', '),
  'Access-Control-Max-Age': '600',
});
