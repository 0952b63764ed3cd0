import * as z from 'zod';
import { MetadataSchema } from './metadata-schema.ts';
import {
  CrawlerConfig,
  HttpUrl,
  Mcp,
  PublicAccess,
  RateLimits,
  RemovalPolicy,
  TagBoost,
  UrlBoost,
} from './site-settings.ts';

/*
 * Settings merge by field: an absent field is unchanged, a list is replaced, and null clears an optional field.
 */

const clearable = <Field extends z.ZodOptional>(field: Field) =>
  field.nullable().describe(`${field.description}; null clears it`);

export const CrawlerConfigChanges = z
  .strictObject({
    ...CrawlerConfig.partial().shape,
    delayMs: clearable(CrawlerConfig.shape.delayMs),
    singleUrls: clearable(CrawlerConfig.shape.singleUrls),
    sitemaps: clearable(CrawlerConfig.shape.sitemaps),
    contentSelector: clearable(CrawlerConfig.shape.contentSelector),
    excludeSelectors: clearable(CrawlerConfig.shape.excludeSelectors),
  })
  .meta({ id: 'CrawlerConfigChanges' });

export const PublicAccessChanges = z.strictObject(PublicAccess.partial().shape).meta({ id: 'PublicAccessChanges' });

export const RateLimitChanges = z
  .strictObject({
    searchPerMinute: clearable(RateLimits.shape.searchPerMinute),
    chatPerMinute: clearable(RateLimits.shape.chatPerMinute),
    perIpPerMinute: clearable(RateLimits.shape.perIpPerMinute),
  })
  .meta({ id: 'RateLimitChanges' });

export const McpChanges = z
  .strictObject({ description: clearable(Mcp.shape.description), answer: Mcp.shape.answer })
  .meta({ id: 'McpChanges' });

const RemovalPolicyChanges = z.strictObject(RemovalPolicy.partial().shape).meta({ id: 'RemovalPolicyChanges' });

const DOMAIN = /^(?:https?:\/\/)?[^\s/?#@*\\]+(?<!:)(?:\/\S*)?$/i;

/**
 * Accepts a domain or an address, of which the origin counts. Other text would be ignored, or break the links of
 * results.
 */
const isDomain = (domain: string): boolean =>
  DOMAIN.test(domain) && URL.canParse(/^https?:\/\//i.test(domain) ? domain : `https://${domain}`);

const fields = {
  name: z.string().trim().min(1).max(200).describe('the name of the site'),
  baseUrl: HttpUrl.describe('where the next crawl starts; a crawl that runs keeps the one that it started with'),
  domain: z
    .string()
    .trim()
    .min(1)
    .max(300)
    .refine(isDomain, 'must be a domain such as www.example.com or https://www.example.com')
    .nullable()
    .optional()
    .describe('under which URLs are shown in results, in place of the host of the base URL; null clears it'),
  description: z.string().max(2000).nullable().optional().describe('for people; null clears it'),
  publicAccess: PublicAccessChanges.optional().describe('who may search the site'),
  mcp: McpChanges.optional().describe('what the MCP server of the site offers to agents'),
  rateLimits: RateLimitChanges.optional().describe('limits of its visitors in place of the usual ones'),
  crawlerConfig: CrawlerConfigChanges.optional().describe('what a crawl reads'),
  metadataSchema: MetadataSchema.optional().describe('fields of its own, for filters and facets'),
  tagBoosts: z.array(TagBoost).max(1000).optional().describe('factors of the score by tag'),
  urlBoosts: z.array(UrlBoost).max(1000).optional().describe('factors of the score by address'),
  removalPolicy: RemovalPolicyChanges.optional().describe('what happens to pages that are gone'),
};

export const CreateSiteRequest = z.strictObject(fields).meta({ id: 'CreateSiteRequest' });
export type CreateSiteRequest = z.infer<typeof CreateSiteRequest>;

export const UpdateSiteRequest = CreateSiteRequest.partial({ name: true, baseUrl: true }).meta({
  id: 'UpdateSiteRequest',
});
export type UpdateSiteRequest = z.infer<typeof UpdateSiteRequest>;
