import { queryOptions } from '@tanstack/react-query';

/** The demo site of a service on a laptop. */
export const demoQuery = () =>
  queryOptions({ queryKey: ['demo'], queryFn: ({ signal }) => demoSite(signal), staleTime: Number.POSITIVE_INFINITY });

async function demoSite(signal: AbortSignal): Promise<{ readonly siteId?: string }> {
  const response = await fetch('/demo-site.json', { signal }).catch(() => undefined);
  // Read in any case: an answer that is not read keeps its connection.
  const body: { readonly siteId?: unknown } | undefined = await response?.json().catch(() => undefined);
  return response?.ok && typeof body?.siteId === 'string' ? { siteId: body.siteId } : {};
}
