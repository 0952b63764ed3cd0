import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { normaliseUrl, pathOf } from '../../../lambdas/text/web/url.ts';
import { isTooBroad, patternFault, urlPatterns } from '../../../lambdas/text/web/url-patterns.ts';
import { processorTime } from '../../support/processor-time.ts';

const matches = (pattern: string, url: string): boolean => urlPatterns([pattern])(url);

/** Tries all runs of characters that a star may stand for. */
function naively(glob: string, text: string): boolean {
  const [first] = glob;
  if (first === undefined) return text === '';
  const rest = glob.slice(1);
  if (first !== '*') return text.startsWith(first) && naively(rest, text.slice(1));
  return Array.from({ length: text.length + 1 }, (_, end) => text.slice(end)).some((tail) => naively(rest, tail));
}

const shortText = (characters: string, maxLength: number) =>
  fc.array(fc.constantFrom(...characters), { maxLength }).map((parts) => parts.join(''));

describe('a glob', () => {
  it.each([
    ['https://a.example/docs/*', 'https://a.example/docs/'],
    ['https://a.example/docs/*', 'https://a.example/docs/b/c?d=1'],
    ['*.pdf', 'https://a.example/b.pdf'],
    ['*/private/*', 'https://a.example/b/private/c'],
    ['*', 'https://a.example/'],
    ['https://a.example', 'https://a.example/'],
    ['HTTPS://A.Example:443/B', 'https://a.example/B'],
    ['/docs/*', 'https://a.example/docs/b'],
    ['/docs/*', 'http://b.example:8080/docs/?c'],
    ['*?page=*', 'https://a.example/b?page=2'],
    ['/', 'https://a.example/'],
    ['/*.html', 'https://a.example/b/c.html'],
    ['https://Köln.example/straße/*', 'https://xn--kln-sna.example/stra%C3%9Fe/1'],
    ['/a b/%7ec', 'https://a.example/a%20b/~c'],
  ])('%s matches %s', (pattern, url) => {
    expect(matches(pattern, url)).toBe(true);
  });

  it.each([
    ['https://a.example/docs/*', 'https://a.example/docs'],
    ['https://a.example/docs/*', 'http://a.example/docs/b'],
    ['/docs', 'https://a.example/docs/b'],
    ['/docs', 'https://a.example/docs?b'],
    ['/docs/*', 'https://a.example/old/docs/b'],
    ['*.pdf', 'https://a.example/b.pdf?c'],
    ['/a.c', 'https://a.example/abc'],
    ['a.example/*', 'https://a.example/'],
    ['/ab*ba', 'https://a.example/aba'],
    ['/[ab]', 'https://a.example/a'],
  ])('%s does not match %s', (pattern, url) => {
    expect(matches(pattern, url)).toBe(false);
  });

  it('matches exactly what a naive matcher does', () => {
    const path = shortText('ab/?', 9);
    fc.assert(
      fc.property(shortText('ab/?*', 8), path, (glob, tail) => {
        expect(matches(`/${glob}`, `http://h/${tail}`)).toBe(naively(`/${glob}`, `/${tail}`));
      }),
      { numRuns: 2000 },
    );
  });

  it('without a star matches the URL that it spells, however it is written', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: false }), (written) => {
        const url = normaliseUrl(written) ?? '';
        fc.pre(url !== '' && !written.includes('*'));
        expect(matches(written, url)).toBe(true);
        expect(matches(pathOf(url), url)).toBe(true);
        expect(matches(`${written}x`, url)).toBe(false);
      }),
    );
  });

  it('of many stars ends at once on a long URL', () => {
    const url = `http://h/${'a'.repeat(2000)}`;
    const taken = processorTime();
    expect(matches(`*${'a*'.repeat(499)}b`, url)).toBe(false);
    expect(matches(`/${'*a'.repeat(499)}*`, url)).toBe(true);
    expect(taken()).toBeLessThan(200);
  });
});

describe('a regular expression', () => {
  it.each([
    ['regex:\\.(?:pdf|zip)$', 'https://a.example/b.zip', true],
    ['regex:\\.(?:pdf|zip)$', 'https://a.example/b.zip?c', false],
    ['regex:/\\d{4}/\\d{2}/', 'https://a.example/blog/2024/05/', true],
    ['regex:^https://a\\.example/b', 'https://a.example/bc', true],
    ['regex:^/b', 'https://a.example/b', false],
    ['regex:(?i)/ADMIN', 'https://a.example/admin', true],
    ['regex:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 'https://a.example/', false],
  ])('%s is looked for in %s: %s', (pattern, url, found) => {
    expect(patternFault(pattern)).toBeUndefined();
    expect(matches(pattern, url)).toBe(found);
  });

  it.each([
    ['is empty', '', /needs/],
    ['is half of one', '(', /missing closing/],
    ['looks ahead', '(?=a)', /unsupported/],
    ['repeats too often', 'a{1001}', /repeat/],
    ['repeats a repetition', '(?:[a-z]{50}){50}', /too large/],
    ['repeats a long group', `(?:${'a'.repeat(900)}){1000}`, /too large/],
    ['repeats group in group', '(?:(?:(?:a{9}){9}b){9}){99}', /too large/],
    ['repeats side by side', '.{0,1000}'.repeat(90), /too large/],
    ['is large by its classes', '(?i)(?:\\pL\\pN?){0,400}', /too large/],
  ])('that %s has a fault, and matches nothing', (_, expression, fault) => {
    expect(patternFault(`regex:${expression}`)).toMatch(fault);
    expect(matches(`regex:${expression}`, 'https://a.example/aaaa')).toBe(false);
  });

  it('that would blow up elsewhere ends at once', () => {
    const url = `http://h/${'a'.repeat(2000)}!`;
    const taken = processorTime();
    expect(matches('regex:(a*)*b', url)).toBe(false);
    expect(matches('regex:(?:a|aa)+$', url)).toBe(false);
    expect(taken()).toBeLessThan(500);
  });

  it('is compiled or refused, whatever stands there, and soon', () => {
    const piece = fc.constantFrom(
      'a',
      '.',
      '*',
      '+',
      '?',
      '(',
      ')',
      '(?:',
      '[',
      ']',
      '|',
      '{9}',
      '{0,99}',
      '{1000}',
      '\\',
      'é',
    );
    const expression = fc.array(piece, { minLength: 1, maxLength: 60 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.oneof(expression, fc.string({ minLength: 1, unit: 'binary' })), (text) => {
        const taken = processorTime();
        const fault = patternFault(`regex:${text}`);
        const found = matches(`regex:${text}`, `http://h/${'a'.repeat(100)}`);
        expect(fault === undefined || !found).toBe(true);
        expect(taken()).toBeLessThan(500);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a pattern is too broad', () => {
  const isTooBroadHere = (pattern: string): boolean => isTooBroad(pattern, ['https://www.my-site.example']);

  it.each(['*', '**', '/*', '*/', '*/*', 'regex:.', 'regex:.*', 'regex:^.+$', 'regex:\\w+', 'regex:[a-z]', 'regex:a*'])(
    'without a literal character: %s',
    (pattern) => expect(isTooBroadHere(pattern)).toBe(true),
  );

  it.each(['regex:(a|b)?', 'regex:()', 'regex:x{0,3}', 'regex:(?i)', 'regex:\\pL+', 'regex:\\/'])(
    'as an expression that matches any URL: %s',
    (pattern) => expect(isTooBroadHere(pattern)).toBe(true),
  );

  it.each([
    '/',
    '/a*',
    '*.pdf',
    '*?*',
    'https://a.example/*',
    'regex:b',
    'regex:\\?',
    'regex:\\d{4}-1',
    'regex:(?i)pdf$',
  ])('not with one: %s', (pattern) => expect(isTooBroadHere(pattern)).toBe(false));

  it.each([
    ...['h*', 'http*', 'https:*', '*://*', '*.*', '*:*', '*t*', '*//*.*/*', 'regex:http', 'regex:^https?://'],
    ...['regex:^https://[^/]+/.', 'regex:t', 'regex:s?://'],
  ])('if it matches all pages of any site: %s', (pattern) => expect(isTooBroadHere(pattern)).toBe(true));

  it.each(['*my*', '*-*', '*.example*', '*www.*', '*example/*', 'regex:example', 'regex:e', 'regex:my-site\\.'])(
    'if it matches all pages of this site without its whole host: %s',
    (pattern) => expect(isTooBroadHere(pattern)).toBe(true),
  );

  it.each([
    ...['https://www.my-site.example/*', 'HTTPS://WWW.my-site.example*', '*://www.my-site.example/*'],
    ...['*www.my-site.example*', 'regex:^https://www\\.my-site\\.example/', 'regex:(?i)WWW\\.MY-SITE\\.EXAMPLE'],
  ])('not if it names the whole host: %s', (pattern) => expect(isTooBroadHere(pattern)).toBe(false));

  it.each(['/*e*', '/a/*', '*/docs/*', 'https://other.example/*', 'http://www.my-site.example/*', '*//*-*/*a*?*'])(
    'not if it matches some pages: %s',
    (pattern) => expect(isTooBroadHere(pattern)).toBe(false),
  );

  it('also on the origin to which the site redirects', () => {
    const origins = ['http://old.example', 'https://new.example'];
    expect(['*new*', '*old*', '*new.example*', '*.example/*'].map((pattern) => isTooBroad(pattern, origins))).toEqual([
      ...[true, true, false, true],
    ]);
  });
});
