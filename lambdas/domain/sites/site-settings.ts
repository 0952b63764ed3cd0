import * as z from 'zod';
import { listedUrl } from '../../text/web/listed-url.ts';
import { MAX_URL_LENGTH, normaliseUrl } from '../../text/web/url.ts';
import { allowedDomainFault } from './access/origin.ts';

/*
 * The settings that the owner of a site can change. Their bounds keep a site under 300 kB. Objects are strict, because
 * an ignored misspelling could change who may read the site or what is crawled.
 */

const HTTP_URL = /^https?:\/\/[^\s]+$/i;
const isPlain = (url: string): boolean => {
  const parsed = URL.parse(url);
  return parsed?.username === '' && parsed.password === '';
};

export const HttpUrl = z
  .string()
  .max(MAX_URL_LENGTH)
  .regex(HTTP_URL, 'must be an absolute http or https URL')
  .refine(isPlain, 'must be a URL with a host, without a user name and a password');

/** Rejects an entry that could never match: otherwise its owner would search the web page for the fault. */
const AllowedDomain = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .superRefine((entry, issues) => {
    const message = allowedDomainFault(entry);
    if (message !== undefined) issues.addIssue({ code: 'custom', message });
  });

export const PublicAccess = z
  .strictObject({
    enabled: z.boolean().describe('whether visitors may search and ask at all; false for a new site'),
    searchEnabled: z.boolean().describe('whether they may search; true for a new site'),
    chatEnabled: z.boolean().describe('whether they may ask the chat; true for a new site'),
    allowedDomains: z
      .array(AllowedDomain)
      .max(100)
      .describe(
        'hosts of the web pages that may call: `*` allows every one, `*.example.com` every subdomain; ' +
          'none for a new site',
      ),
    anonymousSessions: z
      .boolean()
      .describe('whether the chat remembers earlier questions of a visitor; true for a new site'),
    sessionTTLMinutes: z
      .int()
      .min(1)
      .max(1440)
      .describe('minutes after the last question that a chat is remembered; 30 for a new site'),
    mcpEnabled: z
      .boolean()
      .optional()
      .describe('whether AI agents may use the MCP server, also without an origin; false for a new site'),
  })
  .meta({ id: 'PublicAccess' });
export type PublicAccess = z.infer<typeof PublicAccess>;

export const NEW_PUBLIC_ACCESS: PublicAccess = {
  enabled: false,
  searchEnabled: true,
  chatEnabled: true,
  allowedDomains: [],
  anonymousSessions: true,
  sessionTTLMinutes: 30,
  mcpEnabled: false,
};

/** What the MCP server of a site or group offers to agents. */
export const Mcp = z
  .strictObject({
    description: z
      .string()
      .trim()
      .min(1)
      .max(1000)
      .optional()
      .describe('what agents read about the content; without it the service writes it from name, tags and languages'),
    answer: z
      .boolean()
      .optional()
      .describe('whether agents may ask for an answer, as people ask the chat; false for a new site'),
  })
  .meta({ id: 'Mcp' });
export type Mcp = z.infer<typeof Mcp>;

/** Returns the settings as answers show them. */
export const mcpView = (mcp: Mcp = {}): Mcp => ({ answer: false, ...mcp });

const PerMinute = z.int().min(1).max(1_000_000);

export const RateLimits = z
  .strictObject({
    searchPerMinute: PerMinute.optional().describe('searches of all visitors a minute; without it no limit'),
    chatPerMinute: PerMinute.optional().describe('questions of all visitors a minute; without it no limit'),
    perIpPerMinute: PerMinute.optional().describe(
      'searches of one address a minute, and its questions if lower than their limit; without it 60 and 20',
    ),
  })
  .meta({ id: 'RateLimits' });
export type RateLimits = z.infer<typeof RateLimits>;

/** Validated asynchronously: the regular-expression engine is large, so only requests with patterns load it. */
const Pattern = z
  .string()
  .min(1)
  .max(1000)
  .superRefine(async (pattern, issues) => {
    const { patternFault } = await import('../../text/web/url-patterns.ts');
    const message = patternFault(pattern);
    if (message !== undefined) issues.addIssue({ code: 'custom', message });
  });
const Patterns = z.array(Pattern).max(200);

const ListedUrl = z
  .string()
  .min(1)
  .max(MAX_URL_LENGTH)
  .refine(
    (url) => listedUrl(url, 'http://site.invalid/') !== undefined,
    'must be a URL, or a path that begins with a slash',
  );

const SitemapUrl = z
  .string()
  .min(1)
  .max(MAX_URL_LENGTH)
  .refine(
    (url) => normaliseUrl(url, 'http://site.invalid/') !== undefined,
    'must be an http or https URL, or relative to the base URL',
  );

const Sitemap = z
  .strictObject({
    url: SitemapUrl.describe('the address of the sitemap; a relative one counts from the base URL'),
    recursive: z.boolean().default(false).describe('whether links of its pages are followed too'),
  })
  .meta({ id: 'Sitemap' });

const PATTERN_SYNTAX =
  'globs that match the whole URL, or path and query if they start with `/`; or `regex:` and an RE2 expression; ' +
  'exclude wins; one that can match no URL of the site is refused';

/** Maximum number of selector steps, because every page is searched for them. */
const MAX_STEPS = 200;
const Selector = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .superRefine(async (selector, issues) => {
    const { selectorFault } = await import('../../text/html/selector-syntax.ts');
    const message = selectorFault(selector);
    if (message !== undefined) issues.addIssue({ code: 'custom', message });
  });
const areFewSteps = async (selectors: readonly string[]): Promise<boolean> => {
  const { stepsOf } = await import('../../text/html/selector-syntax.ts');
  return stepsOf(selectors) <= MAX_STEPS;
};

export const CrawlerConfig = z
  .strictObject({
    maxPages: z.int().min(1).max(1_000_000).describe('pages that a crawl may read; 100 for a new site'),
    maxDepth: z.int().min(0).max(100).describe('links from the start page; 3 for a new site'),
    respectRobotsTxt: z.boolean().describe('whether robots.txt is obeyed; true for a new site'),
    excludePatterns: Patterns.describe(`never these URLs: ${PATTERN_SYNTAX}`),
    includePatterns: Patterns.describe(`only these URLs, by default all: ${PATTERN_SYNTAX}`),
    javascriptEnabled: z
      .union([z.boolean(), z.literal('auto')], 'must be true, false or "auto"')
      .describe(
        '`true` shows every page in a browser, `auto` those whose HTML is empty without their scripts; ' +
          'false for a new site',
      ),
    delayMs: z
      .int()
      .min(0)
      .max(60_000)
      .optional()
      .describe('milliseconds between the starts of two requests; without it none, with 5 connections'),
    singleUrls: z
      .array(ListedUrl)
      .max(1000)
      .optional()
      .describe('the next crawl visits only these URLs, follows no links and ignores the saved crawl scope'),
    sitemaps: z
      .array(Sitemap)
      .max(50)
      .optional()
      .describe('lists of URLs to crawl; without it those in robots.txt, else `/sitemap.xml`'),
    contentSelector: Selector.optional().describe(
      'a CSS selector such as `main article`: the content of a page is all that its elements show. On a page without ' +
        'one, the content is found as on any other page',
    ),
    excludeSelectors: z
      .array(Selector)
      .max(50)
      .refine(areFewSteps, `must have at most ${MAX_STEPS} names in all`)
      .optional()
      .describe(
        'CSS selectors of what is left out of the content, as `data-search-ignore` does; links in it are followed',
      ),
  })
  .meta({ id: 'CrawlerConfig' });
export type CrawlerConfig = z.infer<typeof CrawlerConfig>;

export const NEW_CRAWLER_CONFIG: CrawlerConfig = {
  maxPages: 100,
  maxDepth: 3,
  respectRobotsTxt: true,
  excludePatterns: [],
  includePatterns: [],
  javascriptEnabled: false,
};

const Boost = z
  .number()
  .describe('the factor of the score: above 1 raises it, below 1 lowers it; 0 or less has no effect');

export const TagBoost = z
  .strictObject({
    tag: z.string().min(1).max(200).describe('a tag of pages, as `metadata.tags` of results shows it'),
    boost: Boost,
  })
  .meta({ id: 'TagBoost' });
export type TagBoost = z.infer<typeof TagBoost>;

export const UrlBoost = z
  .strictObject({
    urlPrefix: z.string().min(1).max(MAX_URL_LENGTH).describe('what the URL or its path begins with'),
    boost: Boost,
  })
  .meta({ id: 'UrlBoost' });
export type UrlBoost = z.infer<typeof UrlBoost>;

export const RemovalPolicy = z
  .strictObject({
    holdPercent: z
      .number()
      .min(0)
      .max(100)
      .describe('a larger share of the crawled pages, in percent, is held for review; 10 for a new site'),
    minPages: z.int().min(0).max(1_000_000).describe('fewer pages than this are not held; 10 for a new site'),
    mode: z
      .enum(['hold', 'apply', 'never'])
      .describe(
        'pages that are gone: hold a large share for review, always remove, or never remove; `hold` for a new site',
      ),
  })
  .meta({ id: 'RemovalPolicy' });
export type RemovalPolicy = z.infer<typeof RemovalPolicy>;

export const NEW_REMOVAL_POLICY: RemovalPolicy = { holdPercent: 10, minPages: 10, mode: 'hold' };
