import { call, type Output, queryClient, type Schemas, siteQuery } from '../../api.ts';
import type { Body } from '../../forms/changes.ts';
import { type Section, useSection } from '../../forms/use-section.ts';
import { createValue } from '../../value.ts';

export type Site = Output<'GET /sites/{siteId}'>;
export type SiteChanges = Schemas['UpdateSiteRequest'];

/** What the service remarks on the last change of a site: a setting that has no effect, for example. */
export const warnings = createValue<{ readonly siteId: string; readonly texts: readonly string[] }>({
  siteId: '',
  texts: [],
});

/** Changes settings of a site, and has every screen show the site as it is now. */
export async function updateSite(siteId: string, body: SiteChanges): Promise<void> {
  const { site, warnings: texts = [] } = await call('PUT /sites/{siteId}', { path: { siteId }, body });
  queryClient.setQueryData(siteQuery(siteId).queryKey, site);
  warnings.set({ siteId, texts });
  void queryClient.invalidateQueries({ queryKey: ['sites'] });
}

/** A form about settings of a site. */
export const useSiteSection = <Draft, B extends Body & SiteChanges>(
  site: Site,
  draftOf: (site: Site) => Draft,
  bodyOf: (draft: Draft) => B,
): Section<Draft> =>
  useSection<Site, Draft, B>({
    stored: site,
    draftOf,
    bodyOf,
    load: () => queryClient.fetchQuery({ ...siteQuery(site.siteId), staleTime: 0 }),
    save: (changes) => updateSite(site.siteId, changes as SiteChanges),
  });
