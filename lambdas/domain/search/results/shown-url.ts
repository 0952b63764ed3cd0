import { originOf } from '../../../text/web/url.ts';
import { effectiveBaseUrl, type SiteRecord, type SiteSettings } from '../../sites/site.ts';

/** Replaces the origin by the site's `domain`, if set. Applies to the base URL's origin and the one it moved to. */
export function shownUrl(url: string, site: SiteRecord): string {
  const origin = originOf(url);
  const shown = shownOrigin(site);
  return origin === undefined || shown === undefined || !ownOrigins(site).includes(origin)
    ? url
    : shown + url.slice(origin.length);
}

/** Returns the URL boosts with prefixes of stored URLs. A configured prefix may use the shown domain. */
export function storedUrlBoosts(site: SiteRecord): SiteSettings['urlBoosts'] {
  return site.settings.urlBoosts.flatMap((boost) =>
    storedPrefixes(boost.urlPrefix, site).map((urlPrefix) => ({ ...boost, urlPrefix })),
  );
}

/** Returns the prefix and, if it uses the shown domain, the same prefix on the site's own origins. */
export function storedPrefixes(prefix: string, site: SiteRecord): readonly string[] {
  const shown = shownOrigin(site);
  if (shown === undefined || (prefix !== shown && !prefix.startsWith(`${shown}/`))) return [prefix];
  const others = ownOrigins(site).filter((origin) => origin !== shown);
  return [prefix, ...others.map((origin) => origin + prefix.slice(shown.length))];
}

function shownOrigin({ settings: { domain } }: SiteRecord): string | undefined {
  return domain === undefined ? undefined : originOf(/^https?:\/\//i.test(domain) ? domain : `https://${domain}`);
}

function ownOrigins(site: SiteRecord): readonly string[] {
  const { baseUrl } = site.settings;
  const origins = [baseUrl, effectiveBaseUrl(site) ?? baseUrl].flatMap((url) => originOf(url) ?? []);
  return [...new Set(origins)];
}
