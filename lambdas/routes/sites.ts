import * as z from 'zod';
import { CreateSiteRequest, UpdateSiteRequest } from '../core/sites/site-changes.ts';
import {
  CrawlerConfig,
  MetadataField,
  PublicAccess,
  RateLimits,
  RemovalPolicy,
  TagBoost,
  UrlBoost,
} from '../core/sites/site-settings.ts';
import { SITE_STATUSES } from '../core/sites/site-status.ts';
import { SiteParams } from './parameters.ts';
import { bodyAbout } from './request-body.ts';
import { Count, EpochSeconds, Success, warnings } from './response-fields.ts';
import { member, owner, type Route } from './route.ts';

export { SiteParams };

const SiteStatus = z.enum(SITE_STATUSES);

const SiteSummary = z
  .object({
    siteId: z.uuid(),
    name: z.string(),
    baseUrl: z.string(),
    status: SiteStatus,
    pageCount: Count.describe('indexed pages, crawled and ingested'),
    createdAt: EpochSeconds,
    lastCrawledAt: EpochSeconds.optional(),
  })
  .meta({ id: 'SiteSummary' });

/** Each URL of the crawl has one of the six outcomes; `discovered` is their sum. */
const LastCrawl = z
  .object({
    jobId: z.uuid(),
    status: z.enum(['completed', 'failed', 'cancelled']),
    endReason: z.string().optional().describe('done, limit, cancelled, or the code of the failure'),
    completedAt: EpochSeconds.optional(),
    discovered: Count.describe('all URLs found: the sum of the six counts below'),
    indexed: Count.describe('new or changed pages'),
    unchanged: Count.describe('pages that were indexed before and are still valid'),
    duplicate: Count.describe('pages with the text of another page'),
    skipped: Count.describe('URLs that were not indexed on purpose, and those not visited before the crawl ended'),
    gone: Count.describe('URLs that answered 404 or 410'),
    failed: Count.describe('URLs without a usable answer'),
  })
  .meta({ id: 'LastCrawl', description: 'The last crawl that has ended' });

export const Site = SiteSummary.extend({
  domain: z.string().optional(),
  description: z.string().optional(),
  lastError: z.string().optional().describe('why the last crawl failed'),
  lastErrorCode: z.string().optional().describe('the code of lastError'),
  lastCrawl: LastCrawl.optional(),
  publicAccess: PublicAccess,
  rateLimits: RateLimits,
  crawlerConfig: CrawlerConfig,
  metadataSchema: z.array(MetadataField),
  tagBoosts: z.array(TagBoost),
  urlBoosts: z.array(UrlBoost),
  removalPolicy: RemovalPolicy,
}).meta({ id: 'Site' });

/** All that answers about a site show. */
const SiteWithWarnings = Site.extend(warnings);

/** The second path family names the organisation; any other than the key's is not found. */
const ORGANISATION_SITES = '/organisations/{orgId}/ai-search/sites';
const OrganisationParam = z.object({ orgId: z.uuid().optional() });
const SiteParamsOfBothPaths = SiteParams.extend(OrganisationParam.shape);

export const sites = {
  'list-sites': {
    method: 'get',
    paths: ['/sites', ORGANISATION_SITES],
    summary: 'List the sites of the organisation',
    access: member,
    params: OrganisationParam,
    status: 200,
    response: z.object({ sites: z.array(SiteSummary) }),
  },
  'create-site': {
    method: 'post',
    paths: ['/sites', ORGANISATION_SITES],
    summary: 'Create a site; it has no pages until a crawl or an ingestion',
    access: member,
    params: OrganisationParam,
    body: bodyAbout(SiteWithWarnings, CreateSiteRequest),
    status: 201,
    response: SiteSummary.extend(warnings).meta({ id: 'CreatedSite' }),
    errors: ['plan_limit'],
  },
  'get-site': {
    method: 'get',
    paths: ['/sites/{siteId}', `${ORGANISATION_SITES}/{siteId}`],
    summary: 'Get a site with its settings and state',
    access: member,
    params: SiteParamsOfBothPaths,
    status: 200,
    response: Site,
  },
  'update-site': {
    method: 'put',
    paths: ['/sites/{siteId}', `${ORGANISATION_SITES}/{siteId}`],
    summary: 'Change settings: objects by field, lists as a whole; null clears an optional field',
    access: member,
    params: SiteParamsOfBothPaths,
    body: bodyAbout(SiteWithWarnings, UpdateSiteRequest),
    status: 200,
    response: Success.extend({ site: Site, ...warnings }).meta({ id: 'UpdatedSite' }),
  },
  'delete-site': {
    method: 'delete',
    paths: ['/sites/{siteId}', `${ORGANISATION_SITES}/{siteId}`],
    summary: 'Delete a site and all of its content',
    access: owner,
    params: SiteParamsOfBothPaths,
    status: 200,
    response: Success,
  },
} as const satisfies Record<string, Route>;
