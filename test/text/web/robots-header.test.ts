import { describe, expect, it } from '@jest/globals';
import { robotsHeader } from '../../../lambdas/text/web/robots-header.ts';

describe('X-Robots-Tag', () => {
  it.each([
    [undefined, false, false],
    ['', false, false],
    ['noindex', true, false],
    ['NoIndex , nofollow', true, true],
    ['none', true, true],
    ['all', false, false],
    ['sitesearchbot: noindex', true, false],
    ['sitesearchbot: noindex, nofollow', true, true],
    ['googlebot: noindex, nofollow', false, false],
    ['nofollow, googlebot: noindex', false, true],
    ['googlebot: noindex, SiteSearchBot : nofollow', false, true],
    ['unavailable_after: 25 Jun 2010 15:00:00 PST, noindex', true, false],
    ['max-snippet: 20, nofollow', false, true],
    [':,::,,noindex:', false, false],
  ])('%s', (value, noindex, nofollow) => {
    expect(robotsHeader(value)).toEqual({ noindex, nofollow });
  });
});
