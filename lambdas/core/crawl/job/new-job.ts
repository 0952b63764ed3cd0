import type { Caller } from '../../access/api-key.ts';
import { QUOTAS } from '../../access/plan.ts';
import { AppError } from '../../errors.ts';
import { assertFits } from '../../sites/settings-size.ts';
import { crawlerConfigOf, type SiteRecord, singleUrlsVersion } from '../../sites/site.ts';
import type { CrawlerConfig } from '../../sites/site-settings.ts';
import { listedUrl } from '../../web/listed-url.ts';
import { normaliseUrl, originOf, pathOf } from '../../web/url.ts';
import { type CrawlJob, moved } from './job.ts';

export type Overrides = { readonly [Field in keyof CrawlerConfig]?: CrawlerConfig[Field] | undefined };

const NONE = { indexed: 0, unchanged: 0, duplicate: 0, skipped: 0, gone: 0, failed: 0, answered: 0, fetches: 0 };
/** Until then the watchdog leaves a new job alone. */
const FIRST_SLICE_SECONDS = 60;

/** A job as it begins, and the URLs that it is given; without any it walks the site. */
export function newJob(
  site: SiteRecord,
  { overrides, saved }: { readonly overrides: Overrides; readonly saved: readonly string[] },
  { plan }: Pick<Caller, 'plan'>,
  { jobId, now }: { readonly jobId: string; readonly now: number },
): { readonly job: CrawlJob; readonly urls: readonly string[] } {
  const { settings, state } = site;
  const given = { ...crawlerConfigOf(site), ...overrides } as CrawlerConfig; // what is not overridden has no key
  const { singleUrls = [], ...config } = given;
  assertFits(config);
  const listedBy = singleUrls.length > 0 ? 'singleUrls' : saved.length > 0 ? 'crawlUrls' : undefined;
  const usesUp = listedBy === 'singleUrls' && overrides.singleUrls === undefined;
  const job: CrawlJob = {
    ...{ jobId, siteId: settings.siteId, orgId: settings.orgId, generation: state.generation },
    ...{ status: 'pending', createdAt: now, slice: 0, fence: 0, leaseUntil: now + FIRST_SLICE_SECONDS },
    ...{ inFlight: [], poisonUrls: [], crashes: {}, ...NONE, discovered: listedBy ? 0 : 1 },
    config: { ...config, maxPages: Math.min(config.maxPages, QUOTAS[plan].pagesPerSite) },
    ...baseOf(site, listedBy !== undefined),
    ...(listedBy && { listedBy }),
    ...(usesUp && { consumes: singleUrlsVersion(settings) }),
    ...(settings.privateHost !== undefined && { privateHost: settings.privateHost }),
  };
  const listed = listedBy === 'singleUrls' ? singleUrls : saved;
  return { job, urls: listed.flatMap((written) => urlNow(written, settings.baseUrl, job) ?? []) };
}

/** A walk begins at the base URL of the settings, so that it sees where that leads today; a list has no such start. */
function baseOf({ settings, state }: SiteRecord, isListed: boolean): Pick<CrawlJob, 'baseUrl' | 'movedFrom'> {
  const baseUrl = normaliseUrl(settings.baseUrl);
  if (baseUrl === undefined)
    throw new AppError('invalid_request', `The base URL ${settings.baseUrl} cannot be crawled`);
  const effective = isListed ? (state.effectiveBaseUrl ?? baseUrl) : baseUrl;
  return originOf(effective) === originOf(baseUrl) ? { baseUrl } : moved({ baseUrl }, effective);
}

/** A listed URL, on the origin where the site is now if it was listed on the one of the settings. */
function urlNow(written: string, siteUrl: string, { baseUrl, movedFrom }: CrawlJob): string | undefined {
  const url = listedUrl(written, siteUrl);
  return url !== undefined && originOf(url) === movedFrom ? `${originOf(baseUrl)}${pathOf(url)}` : url;
}
