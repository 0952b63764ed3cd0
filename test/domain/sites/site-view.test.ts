import { describe, expect, it } from '@jest/globals';
import type { CrawlEnd, SiteRecord, SiteState } from '../../../lambdas/domain/sites/site.ts';
import {
  NEW_CRAWLER_CONFIG,
  NEW_PUBLIC_ACCESS,
  NEW_REMOVAL_POLICY,
} from '../../../lambdas/domain/sites/site-settings.ts';
import { siteDetails, siteSummary } from '../../../lambdas/domain/sites/site-view.ts';

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
const site = (parts: Partial<SiteState> = {}): SiteRecord => ({
  settings: {
    siteId: 's',
    orgId: 'o',
    version: 3,
    name: 'Docs',
    baseUrl: 'https://docs.example/',
    createdAt: 1,
    publicAccess: NEW_PUBLIC_ACCESS,
    rateLimits: {},
    crawlerConfig: NEW_CRAWLER_CONFIG,
    metadataSchema: [],
    tagBoosts: [],
    urlBoosts: [],
    removalPolicy: NEW_REMOVAL_POLICY,
    privateHost: '127.0.0.1:8787',
  },
  state: state(parts),
});

describe('the view of a site', () => {
  it('says why the last crawl failed, in a sentence and as a code', () => {
    const failed = site(ended('failed', { error: 'It does not resolve.', errorCode: 'dns' }));
    expect(siteDetails(failed)).toMatchObject({ lastError: 'It does not resolve.', lastErrorCode: 'dns' });
    expect(siteDetails(site(ended('failed')))).toMatchObject({ lastErrorCode: 'internal_error' });
    expect(siteDetails(site(ended('completed')))).toMatchObject({ lastErrorCode: 'no_pages_indexed' });
  });

  it('has no error fields when there is no error', () => {
    for (const parts of [
      {},
      { ...ended('completed'), pageCount: 1 },
      ended('cancelled'),
      { runningJobId: 'j', ...ended('failed') },
    ]) {
      expect(siteDetails(site(parts))).not.toHaveProperty('lastError');
      expect(siteDetails(site(parts))).not.toHaveProperty('lastErrorCode');
    }
  });

  it('omits internal fields', () => {
    for (const hidden of ['orgId', 'version', 'privateHost', 'generation', 'revision', 'runningJobId', 'languages'])
      expect(siteDetails(site({ languages: ['en'] }))).not.toHaveProperty(hidden);
    expect(Object.keys(siteSummary(site({ lastCrawledAt: 5 })))).toEqual([
      ...['id', 'siteId', 'name', 'baseUrl', 'status', 'pageCount', 'createdAt', 'lastCrawledAt'],
    ]);
  });
});
