import * as z from 'zod';
import { MetadataField } from '../domain/sites/metadata-schema.ts';
import { CreateSiteRequest, UpdateSiteRequest } from '../domain/sites/site-changes.ts';
import {
  CrawlerConfig,
  Mcp,
  PublicAccess,
  RateLimits,
  RemovalPolicy,
  TagBoost,
  UrlBoost,
} from '../domain/sites/site-settings.ts';
import { SITE_STATUSES } from '../domain/sites/site-status.ts';
import { NoParams, SiteParams } from './parameters.ts';
import { bodyAbout } from './request-body.ts';
import { Count, EpochSeconds, Success, warnings } from './response-fields.ts';
import { member, owner, type Route } from './route.ts';

export { SiteParams };

const SiteStatus = z
  .enum(SITE_STATUSES)
  .describe(
    '`pending`: no page yet; `crawling`: a crawl runs; `ready`: can be searched; `error`: the last crawl failed',
  );

const SiteSummary = z
  .object({
    id: SiteParams.shape.siteId.describe('the same as `siteId`, by which other clients read it'),
    siteId: SiteParams.shape.siteId,
    name: z.string().describe('the name of the site'),
    baseUrl: z.string().describe('where a crawl starts'),
    status: SiteStatus,
    pageCount: Count.describe('indexed pages, crawled and ingested'),
    createdAt: EpochSeconds.describe('when it was created, in epoch seconds'),
    lastCrawledAt: EpochSeconds.optional().describe('when its last crawl ended, in epoch seconds'),
  })
  .meta({ id: 'SiteSummary' });

const SiteList = z
  .object({ sites: z.array(SiteSummary).describe('all sites of the organisation') })
  .meta({ id: 'SiteList' });

/** The counts of a crawl. Each URL has one of six outcomes, and `discovered` is their sum. */
const LastCrawl = z
  .object({
    jobId: z.uuid().describe('the id of the crawl job'),
    status: z.enum(['completed', 'failed', 'cancelled']).describe('how it ended'),
    endReason: z.string().optional().describe('done, limit, cancelled, or the code of the failure'),
    completedAt: EpochSeconds.optional().describe('when it ended, in epoch seconds'),
    discovered: Count.describe('all URLs found: the sum of the six counts below'),
    indexed: Count.describe('new or changed pages'),
    unchanged: Count.describe('pages that were indexed before and are still valid'),
    duplicate: Count.describe('pages with the text of another page'),
    skipped: Count.describe('URLs that were not indexed on purpose, and those not visited before the crawl ended'),
    gone: Count.describe('URLs that answered 404 or 410'),
    failed: Count.describe('URLs without a usable answer'),
  })
  .meta({ id: 'LastCrawl' });

export const Site = SiteSummary.extend({
  domain: z.string().optional().describe('under which URLs are shown in results, in place of the host of the base URL'),
  description: z.string().optional().describe('for people'),
  lastError: z.string().optional().describe('why the last crawl failed'),
  lastErrorCode: z.string().optional().describe('the code of lastError'),
  lastCrawl: LastCrawl.optional().describe('the last crawl that has ended'),
  publicAccess: PublicAccess.describe('who may search the site'),
  mcp: Mcp.describe('what the MCP server of the site offers to agents'),
  rateLimits: RateLimits.describe('limits of its visitors in place of the usual ones'),
  crawlerConfig: CrawlerConfig.describe('what a crawl reads'),
  metadataSchema: z.array(MetadataField).describe('fields of its own, for filters and facets'),
  tagBoosts: z.array(TagBoost).describe('factors of the score by tag'),
  urlBoosts: z.array(UrlBoost).describe('factors of the score by address'),
  removalPolicy: RemovalPolicy.describe('what happens to pages that are gone'),
}).meta({ id: 'Site' });

/** A site as all responses about it show it, with its warnings. */
const SiteWithWarnings = Site.extend(warnings);

export const sites = {
  'list-sites': {
    method: 'get',
    paths: ['/sites'],
    summary: 'List the sites of the organisation',
    access: member,
    params: NoParams,
    status: 200,
    response: SiteList,
  },
  'create-site': {
    method: 'post',
    paths: ['/sites'],
    summary: 'Create a site; it has no pages until a crawl or an ingestion',
    uses: ['table'],
    access: member,
    params: NoParams,
    body: bodyAbout(SiteWithWarnings, CreateSiteRequest),
    status: 201,
    response: SiteSummary.extend(warnings).meta({ id: 'CreatedSite' }),
    errors: ['plan_limit'],
  },
  'get-site': {
    method: 'get',
    paths: ['/sites/{siteId}'],
    summary: 'Get a site with its settings and state',
    access: member,
    params: SiteParams,
    status: 200,
    response: Site,
  },
  'update-site': {
    method: 'put',
    paths: ['/sites/{siteId}'],
    summary: 'Change settings: objects by field, lists as a whole; null clears an optional field',
    uses: ['table'],
    sends: ['refill-pages'],
    access: member,
    params: SiteParams,
    body: bodyAbout(SiteWithWarnings, UpdateSiteRequest),
    status: 200,
    response: Success.extend({ site: Site.describe('the site with the change'), ...warnings }).meta({
      id: 'UpdatedSite',
    }),
  },
  'delete-site': {
    method: 'delete',
    paths: ['/sites/{siteId}'],
    summary: 'Delete a site and all of its content',
    uses: ['table'],
    sends: ['clean-up'],
    access: owner,
    params: SiteParams,
    status: 200,
    response: Success,
  },
} as const satisfies Record<string, Route>;
