import * as z from 'zod';
import { DocumentKey, PageInput, PageUrl } from '../domain/pages/ingest/page-input.ts';
import { flagInUrl, pageQuery, SiteParams } from './parameters.ts';
import { Count, EpochSeconds, paging, Success, warnings } from './response-fields.ts';
import { member, type Route } from './route.ts';

/**
 * Refuses only an invalid list. Each invalid page becomes an error in the results. The OpenAPI document describes valid
 * pages only, so that clients are type-checked.
 */
const IngestRequest = z
  .object({
    pages: z
      .array(z.union([PageInput, z.unknown()]))
      .min(1)
      .max(100)
      .describe('pages to add, or to replace if their URL is known; an invalid one becomes an error in the results'),
  })
  .meta({ id: 'IngestRequest' });

const IngestResult = z
  .object({
    success: z.boolean().describe('true if no page failed'),
    processed: Count.describe('pages that were added or replaced'),
    skipped: Count.describe('pages whose content is already indexed'),
    failed: Count.describe('pages with an error'),
    results: z
      .array(
        z
          .object({
            url: z.string().describe('as in the request; empty if it has none'),
            status: z.enum(['success', 'skipped', 'error']).describe('`skipped`: the same content is indexed already'),
            error: z.string().optional().describe('why the page was not indexed'),
            chunks: Count.optional().describe('into how many parts the text was divided'),
            isNew: z.boolean().optional().describe('true if no page had this URL'),
            processingTimeMs: Count.optional().describe('in milliseconds'),
            ...warnings,
          })
          .meta({ id: 'IngestedPage' }),
      )
      .describe('one entry for each page, in the order of the request'),
  })
  .meta({ id: 'IngestResult' });

const PageAddress = z.string().describe('the address of the page');
const PageTitle = z.string().describe('the title of the page');

const Aliases = {
  aliases: z.array(z.string()).describe('other URLs with the same text, the shortest 20'),
  aliasCount: Count.describe('how many such URLs there are'),
};

export const IndexedPage = z
  .object({
    url: PageAddress,
    title: PageTitle,
    summary: z.string().optional().describe('in a sentence or two, from the page or a model'),
    tags: z.array(z.string()).describe('keywords, from the page or a model'),
    publishedAt: z.string().optional().describe('when the page was published, ISO 8601'),
    crawledAt: z.string().describe('when the page was last read, ISO 8601'),
    indexedAt: EpochSeconds.describe('when this version was indexed, in epoch seconds'),
    ...Aliases,
    unlinked: z.literal(true).optional().describe('no page of the site links to it any more'),
    truncated: z
      .literal(true)
      .optional()
      .describe('too long: only its beginning is found, about a million characters, or the first 500 pages of a PDF'),
  })
  .meta({ id: 'IndexedPage' });

const IndexedPageList = z
  .object({ items: z.array(IndexedPage).describe('by URL'), ...paging })
  .meta({ id: 'IndexedPageList' });

const DeletePagesRequest = z
  .object({
    urls: z.array(PageUrl).max(1000).optional().describe('exact URLs, as ingested or crawled'),
    patterns: z
      .array(z.string().min(1).max(1000))
      .max(100)
      .optional()
      .describe(
        'globs on the whole URL, or on path and query after a leading slash; or `regex:`. ' +
          'One that matches every page must name the host',
      ),
    keys: z.array(DocumentKey).max(1000).optional().describe('your keys of the pages, as ingested'),
  })
  .refine(
    ({ urls, patterns, keys }) => [urls, patterns, keys].some((list) => list !== undefined && list.length > 0),
    'must have at least one of `urls`, `patterns` and `keys`',
  )
  .meta({ id: 'DeletePagesRequest' });

const DeletePagesResult = z
  .object({
    requestedUrls: Count.describe('the length of `urls`'),
    deletedPages: Count.describe('pages that were indexed and are deleted, each counted once'),
    deletedChunks: Count.describe('the chunks of these pages'),
    complete: z.boolean().describe('false if time ran out: repeat the request'),
    message: z.string().describe('the same for people'),
    siteId: SiteParams.shape.siteId,
  })
  .meta({ id: 'DeletePagesResult' });

export const IndexPage = z
  .object({
    url: PageAddress,
    title: PageTitle,
    key: z.string().optional().describe('your key of the page, as ingested'),
    chunks: Count.describe('into how many parts the text was divided'),
    source: z.enum(['crawl', 'ingest']).describe('how the page came into the index'),
    indexedAt: IndexedPage.shape.indexedAt,
    ...Aliases,
    unlinked: IndexedPage.shape.unlinked,
    truncated: IndexedPage.shape.truncated,
  })
  .meta({ id: 'IndexPage' });

const IndexPageList = z
  .object({ pages: z.array(IndexPage).describe('by URL'), ...paging })
  .meta({ id: 'IndexPageList' });

const DeleteIndexPagesRequest = z
  .object({ urls: z.array(PageUrl).min(1).max(1000).describe('exact URLs, as ingested or crawled') })
  .meta({ id: 'DeleteIndexPagesRequest' });

const DeletedIndexPages = z
  .object({
    success: z.boolean().describe('false if time ran out: repeat the request'),
    requested: Count.describe('the length of `urls`'),
    deleted: Count.describe('pages that were indexed and are deleted, each counted once'),
    deletedChunks: Count.describe('the chunks of these pages'),
  })
  .meta({ id: 'DeletedIndexPages' });

const PurgedSite = Success.extend({ deletedCount: Count.describe('the pages that the site had') }).meta({
  id: 'PurgedSite',
});

export const content = {
  'list-pages': {
    method: 'get',
    paths: ['/sites/{siteId}/pages'],
    summary: 'List the indexed pages of a site by URL',
    uses: ['index-reader'],
    access: member,
    params: SiteParams,
    query: z.object({
      ...pageQuery({ maxLimit: 200 }).shape,
      search: z.string().trim().max(2048).optional().describe('part of the title or URL; if blank, all pages'),
    }),
    status: 200,
    response: IndexedPageList,
    errors: ['search_unavailable'],
  },
  'ingest-pages': {
    method: 'post',
    paths: ['/sites/{siteId}/pages'],
    summary: 'Add or replace pages without a crawl',
    uses: ['table', 'page-store', 'page-index', 'embedder', 'chat-model'],
    sends: ['embed-pages', 'enrich-pages'],
    access: {
      role: 'member',
      plan: { atLeast: 'pro', code: 'plan_required', message: 'API access requires Pro or Enterprise plan' },
    },
    countsAs: 'ingest',
    params: SiteParams,
    query: z.object({
      wait: flagInUrl(true).describe('has no effect, because the answer always waits: other clients send it'),
    }),
    body: IngestRequest,
    status: 200,
    response: IngestResult,
    errors: ['plan_limit'],
  },
  'delete-pages': {
    method: 'delete',
    paths: ['/sites/{siteId}/pages'],
    summary: 'Delete pages by URL, pattern or key',
    uses: ['table', 'page-store', 'page-index'],
    access: member,
    params: SiteParams,
    body: DeletePagesRequest,
    status: 200,
    response: DeletePagesResult,
    errors: ['pattern_too_broad', 'search_unavailable'],
  },
  'purge-site': {
    method: 'post',
    effect: 'destroys',
    paths: ['/sites/{siteId}/purge'],
    summary: 'Delete every indexed page of a site; the site stays',
    uses: ['table'],
    sends: ['clean-up', 'webhooks'],
    access: member,
    params: SiteParams,
    status: 200,
    response: PurgedSite,
  },
  'list-index-pages': {
    method: 'get',
    paths: ['/sites/{siteId}/index-pages'],
    summary: 'List the pages of the index with their chunks and source',
    access: member,
    params: SiteParams,
    query: pageQuery({ maxLimit: 100 }),
    status: 200,
    response: IndexPageList,
  },
  'delete-index-pages': {
    method: 'delete',
    paths: ['/sites/{siteId}/index-pages'],
    summary: 'Delete pages by URL',
    uses: ['table', 'page-store', 'page-index'],
    access: member,
    params: SiteParams,
    body: DeleteIndexPagesRequest,
    status: 200,
    response: DeletedIndexPages,
    errors: ['search_unavailable'],
  },
} as const satisfies Record<string, Route>;
