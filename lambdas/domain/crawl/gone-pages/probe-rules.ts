import { sourcedFields } from '../../../text/fields/field-source.ts';
import { originOf } from '../../../text/web/url.ts';
import { ROBOTS_TOKEN } from '../../../text/web/user-agent.ts';
import type { PageDeps } from '../../pages/page-writer.ts';
import type { PageFetcher } from '../../ports/page-fetcher.ts';
import type { SiteSettings } from '../../sites/site.ts';
import { jobRobots, spacingOf } from '../fetch/job-robots.ts';
import type { Visiting } from '../fetch/visit.ts';
import type { VisitRules } from '../fetch/visit-result.ts';
import { urlFilter } from '../frontier/url-filter.ts';
import type { Slice } from '../jobs/slice.ts';

/** A rule's verdict on a page: the page must be removed for this reason, or it is outside this crawl and stays. */
export type RuleVerdict = 'robots' | 'excluded' | 'not_included' | 'outside';

export type ProbeRules = {
  readonly visit: VisitRules;
  readonly spacingMs: number;
  /** Returns whether a URL is on the site's origin, or on the origin that the site has left. */
  readonly isInScope: (url: string) => boolean;
  /** Returns undefined for a page that may be fetched. */
  readonly verdict: (url: string) => RuleVerdict | undefined;
};

export type ProbeDeps = Omit<Visiting, 'rules' | 'refusals'> & PageDeps;

/** Everything that a slice needs for probing. It is made once and passed down. */
export type Probing = ProbeDeps & {
  readonly slice: Slice;
  readonly rules: ProbeRules;
  /** Whether a page that is answered and was not found by the crawl is marked `unlinked`. */
  readonly marksUnlinked: boolean;
};

/**
 * Returns the rules for probing pages. robots.txt is read again. A page that the job's rules forbid is removed only if
 * the site's settings forbid it too, because the job may have had overrides.
 */
export async function probeRules(slice: Slice, settings: SiteSettings, fetcher: PageFetcher): Promise<ProbeRules> {
  const { job } = slice;
  const { crawlerConfig, metadataSchema } = settings;
  const robots = job.config.respectRobotsTxt ? await jobRobots(slice, fetcher, 'PROBE-ROBOTS') : undefined;
  const filter = urlFilter(job);
  const siteFilter = urlFilter({ ...job, config: crawlerConfig });
  const origins = [filter.origin, job.movedFrom];
  return {
    visit: { filter, robots, fields: sourcedFields(metadataSchema), selection: job.config },
    spacingMs: spacingOf(job, robots),
    isInScope: (url) => origins.includes(originOf(url)),
    verdict: (url) => {
      const here = filter.onSite(url) ?? url;
      if (filter.refusal(here) !== undefined) return ruleOf(siteFilter.refusal(here));
      if (robots?.allows(url, ROBOTS_TOKEN) !== false) return undefined;
      return crawlerConfig.respectRobotsTxt ? 'robots' : 'outside';
    },
  };
}

const ruleOf = (refusal: ReturnType<VisitRules['filter']['refusal']>): RuleVerdict =>
  refusal === undefined || refusal === 'out_of_scope' ? 'outside' : refusal;
