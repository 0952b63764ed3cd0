import { originAllowed } from '../core/access/origin.ts';
import type { Table } from '../core/ports/table.ts';
import { readSite } from '../core/sites/site.ts';
import { SiteParams } from '../routes/parameters.ts';
import type { ApiResponse } from './api-event.ts';
import type { RouteMatch } from './route-match.ts';

/** Answers what a browser asks before a request to another origin: only a site's public paths are open, and only to whom it admits. */
export async function preflight(
  here: readonly RouteMatch[],
  origin: string | undefined,
  table: Table,
): Promise<ApiResponse> {
  const methods = here.map(({ route }) => route.method.toUpperCase());
  const always = { Allow: [...methods, 'OPTIONS'].join(', '), Vary: 'Origin', 'Cache-Control': 'no-store' };
  const cors = (await isAdmitted(here, origin, table)) ? corsHeaders(methods, origin as string) : {};
  return { statusCode: 204, headers: { ...always, ...cors }, body: '' };
}

async function isAdmitted(here: readonly RouteMatch[], origin: string | undefined, table: Table): Promise<boolean> {
  const params = SiteParams.safeParse(here[0]?.params);
  const isPublic = here.some(({ route }) => 'gate' in route.access);
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
