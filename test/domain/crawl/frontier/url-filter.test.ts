import { describe, expect, it } from '@jest/globals';
import { urlFilter } from '../../../../lambdas/domain/crawl/frontier/url-filter.ts';
import { NEW_CRAWLER_CONFIG } from '../../../../lambdas/domain/sites/site-settings.ts';

const filter = (patterns: { includePatterns?: string[]; excludePatterns?: string[] }, movedFrom?: string) =>
  urlFilter({
    baseUrl: 'https://www.a.example/start',
    ...(movedFrom !== undefined && { movedFrom }),
    config: { ...NEW_CRAWLER_CONFIG, ...patterns },
  }).refusal;

describe('the URL filter', () => {
  it('admits the whole origin of the base URL', () => {
    const refusal = filter({});
    expect(refusal('https://www.a.example/elsewhere')).toBeUndefined();
    for (const url of ['http://www.a.example/start', 'https://a.example/', 'https://www.a.example:8443/'])
      expect(refusal(url)).toBe('out_of_scope');
  });

  it('admits included URLs that are not excluded', () => {
    const refusal = filter({ includePatterns: ['/docs/*', '*.html'], excludePatterns: ['*/old/*'] });
    expect(refusal('https://www.a.example/docs/a')).toBeUndefined();
    expect(refusal('https://www.a.example/b.html')).toBeUndefined();
    expect(refusal('https://www.a.example/docs/old/a')).toBe('excluded');
    expect(refusal('https://www.a.example/blog')).toBe('not_included');
    expect(refusal('https://b.example/docs/old/a')).toBe('out_of_scope');
  });

  it('applies the patterns of a moved site even if they name the old origin', () => {
    const refusal = filter({ includePatterns: ['http://a.example/docs/*'] }, 'http://a.example');
    expect(refusal('https://www.a.example/docs/a')).toBeUndefined();
    expect(refusal('https://www.a.example/blog')).toBe('not_included');
    expect(refusal('http://a.example/docs/a')).toBe('out_of_scope');
  });
});
