import { describe, expect, it } from '@jest/globals';
import { urlPatternFault, urlValue } from '../../../lambdas/text/fields/url-value.ts';
import { processorTime } from '../../support/processor-time.ts';

describe('the value that a URL pattern gives', () => {
  it.each([
    ['/docs/*/', '/docs/15/sql.html', '15'],
    ['/docs/*/', '/docs/15/', '15'],
    ['/docs/*/', '/docs/15', undefined],
    ['/docs/*/', '/docs//sql.html', undefined],
    ['/docs/*/', '/en/docs/15/sql.html', undefined],
    ['/docs/*', '/docs/15', '15'],
    ['/docs/*', '/docs/15?lang=en/x', '15'],
    ['/docs/*', '/docs/', undefined],
    ['/docs/v*/', '/docs/v15/a', '15'],
    ['/docs/v*/', '/docs/15/a', undefined],
    ['/docs/*-en/', '/docs/15-rc-en/a', '15-rc'],
    ['/docs/*/manual/', '/docs/15/manual/a', '15'],
    ['/docs/*/manual/', '/docs/15/other/manual/a', undefined],
    ['/ref-*.html', '/ref-15.10.html', '15.10'],
    ['/ref-*.html', '/ref-.html', undefined],
    ['/Docs/*/', '/docs/15/', undefined],
    ['/städte/*/', '/st%C3%A4dte/z%C3%BCrich/a', 'zürich'],
    ['/docs/*/', '/docs/%E0%A4%A/a', '%E0%A4%A'],
    ['https://a.example/*/', '/15/', '15'],
    ['https://A.example/*/', '/15/', '15'],
    ['https://*.example/', '/15/', 'a'],
    ['http://a.example/*/', '/15/', undefined],
  ])('%s on %s is %s', (pattern, path, value) => {
    expect(urlPatternFault(pattern)).toBeUndefined();
    expect(urlValue(pattern, `https://a.example${path}`)).toBe(value);
  });

  it.each([
    ['docs/*/', 'begin with a slash'],
    ['ftp://a.example/*/', 'begin with a slash'],
    ['/docs/', 'exactly one asterisk'],
    ['/*/docs/*/', 'exactly one asterisk'],
    ['/docs/**/', 'exactly one asterisk'],
    ['/docs?version=*', 'no ? and no #'],
    ['https://user:secret@a.example/*/', 'start of a path'],
    ['https://a.example:port/*/', 'start of a path'],
  ])('is refused for %s, with the reason', (pattern, reason) => {
    expect(urlPatternFault(pattern)).toContain(reason);
  });

  it('takes linear time', () => {
    const taken = processorTime();
    for (let i = 0; i < 100; i++) urlValue('/*-a-a-a-a', `https://a.example/${'-a'.repeat(1000)}`);
    expect(taken()).toBeLessThan(500);
  });
});
