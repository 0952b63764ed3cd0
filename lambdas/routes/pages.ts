import * as z from 'zod';
import { MAX_URL_LENGTH } from '../text/web/url.ts';
import { SiteParams } from './parameters.ts';
import type { Route } from './route.ts';

const Heading = z
  .object({
    level: z.int().min(1).max(6).describe('1 to 6'),
    text: z.string().describe('its text'),
    anchor: z.string().optional().describe('the fragment of a URL, not encoded'),
  })
  .meta({ id: 'PageHeading' });

const Link = z
  .object({
    text: z.string().describe('what the link says'),
    url: z.string().describe('where it leads: http or https, absolute'),
  })
  .meta({ id: 'PageLink' });

export const PageMarkdown = z
  .object({
    url: z.string().describe('the address of the page, as in search results'),
    title: z.string().describe('the title of the page'),
    markdown: z.string().describe('the whole page: its title, its address and its content; at most 1 MB'),
    headings: z.array(Heading).describe('of the content, in order; at most 1,000'),
    links: z.array(Link).describe('of the content, in order; at most 1,000'),
    language: z.string().optional().describe('a tag such as `en`'),
    summary: z.string().optional().describe('in a sentence or two'),
    tags: z.array(z.string()).describe('keywords'),
    publishedAt: z.string().optional().describe('ISO 8601, if the page names it'),
    crawledAt: z.string().describe('ISO 8601, when last read'),
    truncated: z.literal(true).optional().describe('the page is longer than what is stored of it'),
  })
  .meta({ id: 'PageMarkdown' });

/** The body of a page as `text/markdown`. */
export const MarkdownText = z
  .string()
  .meta({ id: 'MarkdownText', description: '`markdown` of the same answer as JSON' });

/** Whoever may search a site may read its pages. */
const siteReading = { feature: 'search', scope: 'site' } as const;

export const pages = {
  'get-site-page': {
    method: 'get',
    paths: ['/public/sites/{siteId}/page'],
    summary: 'Get a page of a site as Markdown, or as JSON with its Markdown, headings and links',
    uses: ['page-store-reader'],
    access: siteReading,
    countsAs: 'page',
    params: SiteParams,
    query: z.object({
      url: z.string().trim().min(1).max(MAX_URL_LENGTH).describe('the address of the page, or its path'),
    }),
    status: 200,
    response: PageMarkdown,
    alsoMarkdown: true,
  },
  'get-llms-txt': {
    method: 'get',
    paths: ['/public/sites/{siteId}/llms.txt'],
    summary: 'List the pages of a site with summaries, for language models',
    access: siteReading,
    countsAs: 'page',
    params: SiteParams,
    status: 200,
    response: z.string().meta({ id: 'LlmsTxt', description: 'Markdown as on llmstxt.org' }),
    isText: true,
  },
} as const satisfies Record<string, Route>;
