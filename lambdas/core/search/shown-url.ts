import type { SiteRecord, SiteSettings } from '../sites/site.ts';
import { originOf } from '../web/url.ts';

/** With a `domain`, pages of the base URL's origin, and of the origin the site has moved to, are shown under it. */
export function shownUrl(url: string, site: SiteRecord): string {
  const origin = originOf(url);
  const shown = shownOrigin(site);
  return origin === undefined || shown === undefined || !ownOrigins(site).includes(origin)
    ? url
    : shown + url.slice(origin.length);
}

/** The URL boosts with prefixes as pages are stored. A prefix may be written with the shown domain. */
export function storedUrlBoosts(site: SiteRecord): SiteSettings['urlBoosts'] {
  const { urlBoosts } = site.settings;
  const shown = shownOrigin(site);
  if (shown === undefined) return urlBoosts;
  const others = ownOrigins(site).filter((origin) => origin !== shown);
  const named = urlBoosts.filter(({ urlPrefix }) => urlPrefix === shown || urlPrefix.startsWith(`${shown}/`));
  const moved = others.flatMap((origin) =>
    named.map((boost) => ({ ...boost, urlPrefix: origin + boost.urlPrefix.slice(shown.length) })),
  );
  return [...urlBoosts, ...moved];
}

function shownOrigin({ settings: { domain } }: SiteRecord): string | undefined {
  return domain === undefined ? undefined : originOf(/^https?:\/\//i.test(domain) ? domain : `https://${domain}`);
}

function ownOrigins({ settings: { baseUrl }, state }: SiteRecord): readonly string[] {
  const origins = [baseUrl, state.effectiveBaseUrl ?? baseUrl].flatMap((url) => originOf(url) ?? []);
  return [...new Set(origins)];
}
