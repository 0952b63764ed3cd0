import { describe, expect, it } from '@jest/globals';
import type { CrawlEnd, SiteState } from '../../../lambdas/domain/sites/site.ts';
import { siteStatus } from '../../../lambdas/domain/sites/site-status.ts';

const state = (parts: Partial<SiteState> = {}): SiteState => ({
  runningJobId: null,
  pageCount: 0,
  revision: 0,
  generation: 1,
  ...parts,
});
const ended = (status: CrawlEnd['status'], more: Partial<CrawlEnd> = {}): { readonly lastCrawl: CrawlEnd } => ({
  lastCrawl: { jobId: 'j', status, ...more },
});

describe('the status of a site', () => {
  it.each([
    ['no crawl, no pages', state(), 'pending'],
    ['no crawl, ingested pages', state({ pageCount: 1 }), 'ready'],
    ['a running crawl', state({ runningJobId: 'j', pageCount: 5, ...ended('failed') }), 'crawling'],
    ['a completed crawl', state({ pageCount: 5, ...ended('completed') }), 'ready'],
    ['a completed crawl that found no page', state(ended('completed')), 'error'],
    ['a completed crawl whose pages were deleted', state(ended('completed', { foundPages: true })), 'pending'],
    ['a failed crawl, the old pages there', state({ pageCount: 5, ...ended('failed') }), 'error'],
    ['a failed crawl, no pages', state(ended('failed')), 'error'],
    ['a cancelled crawl with pages', state({ pageCount: 5, ...ended('cancelled') }), 'ready'],
    ['a cancelled crawl without', state(ended('cancelled')), 'pending'],
  ])('after %s is', (_, given, status) => expect(siteStatus(given)).toBe(status));
});
