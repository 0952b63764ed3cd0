import { normaliseUrl, originOf, pathOf } from '../../web/url.ts';
import { urlPatterns } from '../../web/url-patterns.ts';
import type { CrawlJob } from '../job/job.ts';

export type FilterRefusal = 'out_of_scope' | 'excluded' | 'not_included';

/** What a crawl may visit: one origin, and there what the patterns of the site admit. */
export type UrlFilter = {
  readonly baseUrl: string;
  readonly origin: string;
  /** A link as a normalised URL of the site, one to the origin that it has moved from included; undefined for one that leads elsewhere. */
  readonly onSite: (link: string) => string | undefined;
  /** Why a normalised URL is not visited; undefined if it is. */
  readonly refusal: (url: string) => FilterRefusal | undefined;
};

/** A normalised URL begins with its origin. */
const isOn = (origin: string, url: string): boolean => url.startsWith(`${origin}/`);

/** Patterns of a site that has moved to another origin hold there too, though they may name the old one. */
export function urlFilter({
  baseUrl,
  movedFrom,
  config,
}: Pick<CrawlJob, 'baseUrl' | 'movedFrom' | 'config'>): UrlFilter {
  const origin = originOf(baseUrl) ?? baseUrl;
  const isExcluded = urlPatterns(config.excludePatterns);
  const isIncluded = urlPatterns(config.includePatterns);
  return {
    baseUrl,
    origin,
    onSite: (link) => {
      const url = normaliseUrl(link);
      if (url === undefined || isOn(origin, url)) return url;
      return movedFrom !== undefined && isOn(movedFrom, url) ? origin + pathOf(url) : undefined;
    },
    refusal: (url) => {
      if (!isOn(origin, url)) return 'out_of_scope';
      const spellings = movedFrom === undefined ? [url] : [url, movedFrom + pathOf(url)];
      if (spellings.some(isExcluded)) return 'excluded';
      return config.includePatterns.length === 0 || spellings.some(isIncluded) ? undefined : 'not_included';
    },
  };
}
