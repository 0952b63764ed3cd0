import * as z from 'zod';
import {
  CrawlerConfig,
  HttpUrl,
  MetadataSchema,
  PublicAccess,
  RateLimits,
  RemovalPolicy,
  TagBoost,
  UrlBoost,
} from './site-settings.ts';

/*
 * Settings merge by field: an absent field stays, a list is replaced whole, null clears an optional field.
 */

export const CrawlerConfigChanges = z
  .strictObject({
    ...CrawlerConfig.partial().shape,
    delayMs: CrawlerConfig.shape.delayMs.nullable(),
    singleUrls: CrawlerConfig.shape.singleUrls.nullable(),
    sitemaps: CrawlerConfig.shape.sitemaps.nullable(),
  })
  .meta({ id: 'CrawlerConfigChanges' });

export const PublicAccessChanges = z.strictObject(PublicAccess.partial().shape).meta({ id: 'PublicAccessChanges' });

export const RateLimitChanges = z
  .strictObject({
    searchPerMinute: RateLimits.shape.searchPerMinute.nullable(),
    chatPerMinute: RateLimits.shape.chatPerMinute.nullable(),
    perIpPerMinute: RateLimits.shape.perIpPerMinute.nullable(),
  })
  .meta({ id: 'RateLimitChanges' });

const fields = {
  name: z.string().trim().min(1).max(200),
  baseUrl: HttpUrl.describe('where the next crawl starts; a crawl that runs keeps the one that it started with'),
  domain: z.string().trim().min(1).max(300).nullable().optional(),
  description: z.string().max(2000).nullable().optional(),
  publicAccess: PublicAccessChanges.optional(),
  rateLimits: RateLimitChanges.optional(),
  crawlerConfig: CrawlerConfigChanges.optional(),
  metadataSchema: MetadataSchema.optional(),
  tagBoosts: z.array(TagBoost).max(1000).optional(),
  urlBoosts: z.array(UrlBoost).max(1000).optional(),
  removalPolicy: z.strictObject(RemovalPolicy.partial().shape).optional(),
};

export const CreateSiteRequest = z.strictObject(fields).meta({ id: 'CreateSiteRequest' });
export type CreateSiteRequest = z.infer<typeof CreateSiteRequest>;

export const UpdateSiteRequest = CreateSiteRequest.partial({ name: true, baseUrl: true }).meta({
  id: 'UpdateSiteRequest',
});
export type UpdateSiteRequest = z.infer<typeof UpdateSiteRequest>;
