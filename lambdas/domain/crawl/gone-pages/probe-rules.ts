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

/** What a rule says of a page: it is to be removed for this reason, or it is outside of this crawl and stays. */
export type RuleVerdict = 'robots' | 'excluded' | 'not_included' | 'outside';

export type ProbeRules = {
  readonly visit: VisitRules;
  readonly spacingMs: number;
  /** Whether a URL is on the site's origin, or on the origin that the site has left. */
  readonly isInScope: (url: string) => boolean;
  /** Undefined for a page that may be fetched. */
  readonly verdict: (url: string) => RuleVerdict | undefined;
};

export type ProbeDeps = Omit<Visiting, 'rules' | 'refusals'> & PageDeps;

/** Everything that a slice probes with. It is made once, and passed down. */
export type Probing = ProbeDeps & {
  readonly slice: Slice;
  readonly rules: ProbeRules;
  /** A page that answers and that the crawl has not met gets `unlinked`. */
  readonly marksUnlinked: boolean;
};

/**
 * The rules by which pages are probed. robots.txt is read once more. A page that a rule of the job forbids is removed
 * only if the site's settings forbid it too: the job may have had settings of its own.
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
