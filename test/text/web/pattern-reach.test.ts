import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { reachFault } from '../../../lambdas/text/web/pattern-reach.ts';
import { normaliseUrl } from '../../../lambdas/text/web/url.ts';
import { urlPatterns } from '../../../lambdas/text/web/url-patterns.ts';

const BASE = 'https://docs.example.com/start/';

describe('a pattern that can match no URL of the site', () => {
  it.each([
    ['docs/*', '`/docs/*`'],
    ['docs', '`/docs`'],
    ['*', undefined],
    ['docs.example.com/*', '`https://docs.example.com/*`'],
    ['www.example.com/a', '`https://www.example.com/a`'],
    ['https://other.example.org/docs/*', '`/docs/*`'],
    ['http://docs.example.org', '`/`'],
    ['?page=*', '`*?page=*`'],
    ['.pdf', '`*.pdf`'],
    ['/docs/*#top', '`/docs/*`'],
    ['/#/docs/*', '`/`'],
    ['ftp://docs.example.com/*', '`*ftp://docs.example.com/*`'],
    ['x'.repeat(900), '…`'],
  ])('%.40s has another spelling', (pattern, spelling) => {
    const fault = reachFault(pattern, BASE);
    if (spelling === undefined) expect(fault).toBeUndefined();
    else expect(fault).toContain(spelling);
    expect((fault ?? '').length).toBeLessThan(600);
  });

  it.each([
    ...['/docs/*', '/', '//x', '*docs*', '*.pdf', '*', 'http*', 'h*', 'https://*', 'https:*', '*?page=*'],
    ...['https://docs.example.com/*', 'HTTPS://Docs.Example.com/a', 'https://docs.example.com', '/a#top'],
    ...['http://docs.example.com/*', 'https://example.com/*', 'https://www.example.com:8443/*'],
    ...['https://*.example.com/*', 'https://docs*', 'regex:^docs/', '/straße/*', 'https://docs.example.com*'],
  ])('is not %s', (pattern) => expect(reachFault(pattern, BASE)).toBeUndefined());

  it('never matches one', () => {
    const part = fc.constantFrom('*', '/', 'docs', 'https://', 'http', '.', '?', '#', 'example.com', 'a', ':');
    const patterns = fc.array(part, { maxLength: 6, minLength: 1 }).map((parts) => parts.join(''));
    const urls = fc.array(part, { maxLength: 4 }).map((parts) => normaliseUrl(`${BASE}${parts.join('')}`) ?? BASE);
    fc.assert(
      fc.property(patterns, urls, (pattern, url) => {
        if (urlPatterns([pattern])(url)) expect(reachFault(pattern, BASE)).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });
});
