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
import { SITE_STATUSES } from '../core/sites/site-view.ts';
import { EpochSeconds, Success } from './answers.ts';
import { SiteParams } from './parameters.ts';
import type { Route } from './route.ts';

export { SiteParams };

const SiteStatus = z.enum(SITE_STATUSES);

const SiteSummary = z
  .object({
    siteId: z.uuid(),
    name: z.string(),
    baseUrl: z.string(),
    status: SiteStatus,
    pageCount: z.int(),
    createdAt: EpochSeconds,
    lastCrawledAt: EpochSeconds.optional(),
  })
  .meta({ id: 'SiteSummary' });

export const Site = SiteSummary.extend({
  domain: z.string().optional(),
  description: z.string().optional(),
  lastError: z.string().optional().describe('why the last crawl failed, for people'),
  lastErrorCode: z.string().optional().describe('the same for programs'),
  publicAccess: PublicAccess,
  rateLimits: RateLimits,
  crawlerConfig: CrawlerConfig,
  metadataSchema: z.array(MetadataField),
  tagBoosts: z.array(TagBoost),
  urlBoosts: z.array(UrlBoost),
  removalPolicy: RemovalPolicy,
}).meta({ id: 'Site' });

/** In the second path family the organisation is part of the path; another one than the key's is not found. */
const OrganisationParam = z.object({ orgId: z.uuid().optional() });
const SiteParamsEitherWay = SiteParams.extend(OrganisationParam.shape);

export const sites = {
  'list-sites': {
    method: 'get',
    paths: ['/sites', '/organisations/{orgId}/ai-search/sites'],
    summary: 'All sites of the organisation',
    access: { role: 'member' },
    params: OrganisationParam,
    status: 200,
    response: z.object({ sites: z.array(SiteSummary) }),
  },
  'create-site': {
    method: 'post',
    paths: ['/sites', '/organisations/{orgId}/ai-search/sites'],
    summary: 'Creates a site; it is crawled when a crawl is started',
    access: { role: 'member' },
    params: OrganisationParam,
    body: CreateSiteRequest,
    status: 201,
    response: SiteSummary,
    errors: ['plan_limit'],
  },
  'get-site': {
    method: 'get',
    paths: ['/sites/{siteId}', '/organisations/{orgId}/ai-search/sites/{siteId}'],
    summary: 'A site with all of its settings and its state',
    access: { role: 'member' },
    params: SiteParamsEitherWay,
    status: 200,
    response: Site,
  },
  'update-site': {
    method: 'put',
    paths: ['/sites/{siteId}', '/organisations/{orgId}/ai-search/sites/{siteId}'],
    summary: 'Changes the given settings: objects by field, lists as a whole; null clears what may be absent',
    access: { role: 'member' },
    params: SiteParamsEitherWay,
    body: UpdateSiteRequest,
    status: 200,
    response: Success,
  },
  'delete-site': {
    method: 'delete',
    paths: ['/sites/{siteId}', '/organisations/{orgId}/ai-search/sites/{siteId}'],
    summary: 'Deletes a site and all of its indexed content for good',
    access: { role: 'owner' },
    params: SiteParamsEitherWay,
    status: 200,
    response: Success,
  },
} as const satisfies Record<string, Route>;
