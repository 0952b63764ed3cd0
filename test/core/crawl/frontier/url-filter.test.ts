import { describe, expect, it } from '@jest/globals';
import { urlFilter } from '../../../../lambdas/core/crawl/frontier/url-filter.ts';
import { NEW_CRAWLER_CONFIG } from '../../../../lambdas/core/sites/site-settings.ts';

const filter = (patterns: { includePatterns?: string[]; excludePatterns?: string[] }, movedFrom?: string) =>
  urlFilter({
    baseUrl: 'https://www.a.example/start',
    ...(movedFrom !== undefined && { movedFrom }),
    config: { ...NEW_CRAWLER_CONFIG, ...patterns },
  }).refusal;

describe('the scope of a crawl', () => {
  it('is the origin of the base URL, wherever on it the crawl starts', () => {
    const refusal = filter({});
    expect(refusal('https://www.a.example/elsewhere')).toBeUndefined();
    for (const url of ['http://www.a.example/start', 'https://a.example/', 'https://www.a.example:8443/'])
      expect(refusal(url)).toBe('out_of_scope');
  });

  it('has what is included and not excluded: exclude wins', () => {
    const refusal = filter({ includePatterns: ['/docs/*', '*.html'], excludePatterns: ['*/old/*'] });
    expect(refusal('https://www.a.example/docs/a')).toBeUndefined();
    expect(refusal('https://www.a.example/b.html')).toBeUndefined();
    expect(refusal('https://www.a.example/docs/old/a')).toBe('excluded');
    expect(refusal('https://www.a.example/blog')).toBe('not_included');
    expect(refusal('https://b.example/docs/old/a')).toBe('out_of_scope');
  });

  it('takes the patterns of a site that has moved as they were written for the old origin, too', () => {
    const refusal = filter({ includePatterns: ['http://a.example/docs/*'] }, 'http://a.example');
    expect(refusal('https://www.a.example/docs/a')).toBeUndefined();
    expect(refusal('https://www.a.example/blog')).toBe('not_included');
    expect(refusal('http://a.example/docs/a')).toBe('out_of_scope');
  });
});
