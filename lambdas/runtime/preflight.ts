import { originAllowed } from '../core/access/origin.ts';
import type { Table } from '../core/ports/table.ts';
import { readSite } from '../core/sites/site.ts';
import { SiteParams } from '../routes/parameters.ts';
import type { ApiResponse } from './api-event.ts';
import type { RouteMatch } from './route-match.ts';

/** Answers a CORS preflight: only the public paths of a site allow other origins, and only those of its settings. */
export async function preflight(
  here: readonly RouteMatch[],
  origin: string | undefined,
  table: Table,
): Promise<ApiResponse> {
  const methods = here.map(({ route }) => route.method.toUpperCase());
  const common = { Allow: [...methods, 'OPTIONS'].join(', '), Vary: 'Origin', 'Cache-Control': 'no-store' };
  const cors = (await isAllowed(here, origin, table)) ? corsHeaders(methods, origin as string) : {};
  return { statusCode: 204, headers: { ...common, ...cors }, body: '' };
}

async function isAllowed(here: readonly RouteMatch[], origin: string | undefined, table: Table): Promise<boolean> {
  const params = SiteParams.safeParse(here[0]?.params);
  const isPublic = here.some(({ route }) => 'feature' in route.access);
  if (!isPublic || !origin || !params.success) return false;
  const site = await readSite(params.data.siteId, table);
  return site !== undefined && originAllowed(origin, site.settings.publicAccess.allowedDomains);
}

const corsHeaders = (methods: readonly string[], origin: string) => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Allow-Methods': methods.join(', '),
  'Access-Control-Allow-Headers': 'Content-Type, Authorization, Content-Encoding',
  'Access-Control-Max-Age': '600',
});
