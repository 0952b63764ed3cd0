import { normaliseUrl, originOf, pathOf } from '../../../text/web/url.ts';
import { urlPatterns } from '../../../text/web/url-patterns.ts';
import type { CrawlJob } from '../jobs/job.ts';

export type FilterRefusal = 'out_of_scope' | 'excluded' | 'not_included';

/** Decides which URLs a crawl may visit: those of one origin that the site's patterns admit. */
export type UrlFilter = {
  readonly baseUrl: string;
  readonly origin: string;
  /**
   * Returns the normalised URL of a link to this origin, or to the old origin of a moved site; undefined for others.
   */
  readonly onSite: (link: string) => string | undefined;
  /** Returns undefined for a normalised URL that may be visited, else the reason. */
  readonly refusal: (url: string) => FilterRefusal | undefined;
};

const isOn = (origin: string, url: string): boolean => url.startsWith(`${origin}/`);

/** Makes the filter of a job. The patterns of a moved site apply to the new origin, even if they name the old one. */
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
