import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { normaliseUrl, originOf, urlHash } from '../../../lambdas/text/web/url.ts';

/** A request target as a server decodes it: escapes of unreserved characters decoded, other escapes as bytes. */
function asSeenByServer(target: string): readonly string[] {
  return (target.match(/%[0-9a-f]{2}|[\s\S]/gi) ?? []).map((token) => {
    if (token.length === 1) return token;
    const character = String.fromCharCode(Number.parseInt(token.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : token.toUpperCase();
  });
}

const piece = fc.oneof(
  fc.constantFrom(
    '%',
    '%2',
    '%7e',
    '%2F',
    '%2f',
    '%41',
    '%32',
    '%65',
    '%25',
    '%c3%a9',
    '/',
    '..',
    '.',
    '%2e',
    '?',
    '&',
    '=',
  ),
  fc.constantFrom('a', 'B', '~', ' ', '+', ';', '\\', '|', '"', 'é', '\ud800', '#', ':', '@', '\t', '\n'),
  fc.string({ maxLength: 4, unit: 'binary' }),
);
const target = fc.array(piece, { maxLength: 12 }).map((pieces) => `http://example.com/${pieces.join('')}`);

describe('normaliseUrl', () => {
  it.each([
    ['HTTP://EXAMPLE.com:80', 'http://example.com/'],
    ['https://example.com:443/a', 'https://example.com/a'],
    ['https://example.com:8443/a', 'https://example.com:8443/a'],
    ['http://example.com/%7euser/%e9%2f', 'http://example.com/~user/%E9%2F'],
    ['http://example.com/a/./b/../c', 'http://example.com/a/c'],
    ['http://example.com/a/%2e%2E/c', 'http://example.com/c'],
    ['http://example.com/a#part', 'http://example.com/a'],
    ['http://example.com/a?b#part', 'http://example.com/a?b'],
    ['http://example.com/a#part?b', 'http://example.com/a'],
    ['http://example.com/é?é', 'http://example.com/%C3%A9?%C3%A9'],
    ['http://münchen.example/', 'http://xn--mnchen-3ya.example/'],
    ['  http://example.com/a\n', 'http://example.com/a'],
    ['http://2130706433/', 'http://127.0.0.1/'],
    ['http://[::0:1]/', 'http://[::1]/'],
    ['http://example.com/100%', 'http://example.com/100%'],
    ['http://example.com/%%34%31', 'http://example.com/%%34%31'],
    ['http://example.com/%2541', 'http://example.com/%2541'],
  ])('normalises %s to %s', (input, normal) => {
    expect(normaliseUrl(input)).toBe(normal);
  });

  it.each([
    ['b', 'http://example.com/a/b'],
    ['/b', 'http://example.com/b'],
    ['?b', 'http://example.com/a/c?b'],
    ['', 'http://example.com/a/c'],
    ['//other.example/b', 'http://other.example/b'],
    ['../../../b', 'http://example.com/b'],
    ['\\b', 'http://example.com/b'],
  ])('resolves %j against a base', (input, normal) => {
    expect(normaliseUrl(input, 'http://example.com/a/c')).toBe(normal);
  });

  it.each([
    'mailto:a@example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://example.com/',
    'blob:http://example.com/1',
    'http://user@example.com/',
    'http://user:secret@example.com/',
    'http://',
    'http://exa mple.com/',
    'http://example.com:99999/',
    'http://[::1/',
    'http://1.2.3.4.5/',
    'not absolute',
    '',
  ])('refuses %j', (input) => {
    expect(normaliseUrl(input)).toBeUndefined();
  });

  it('refuses any input with an invalid base', () => {
    expect(normaliseUrl('/a', 'nowhere')).toBeUndefined();
  });

  it.each([
    ['http://example.com/a', 'http://example.com/a/'],
    ['http://example.com/?a=1&b=2', 'http://example.com/?b=2&a=1'],
    ['http://example.com/a/b', 'http://example.com/a%2Fb'],
    ['http://example.com/a', 'http://example.com/A'],
    ['http://example.com/', 'http://example.com/?'],
    ['http://example.com/a b', 'http://example.com/a+b'],
    ['http://example.com/?a', 'http://example.com/?a='],
    ['http://example.com/a//b', 'http://example.com/a/b'],
    ['http://example.com/a;b', 'http://example.com/a%3Bb'],
    ['http://example.com/', 'https://example.com/'],
    ['http://example.com/', 'http://www.example.com/'],
    ['http://example.com/', 'http://example.com./'],
    ['http://example.com/100%', 'http://example.com/100%25'],
  ])('keeps %s and %s apart', (one, other) => {
    expect(normaliseUrl(one)).not.toBe(normaliseUrl(other));
  });

  it.each([
    ['?utm_source=x', ''],
    ['?utm_source=x&id=7&fbclid=y', '?id=7'],
    ['?id=7&gclid', '?id=7'],
    ['?utm%5Fsource=x&UTM_Medium=y&msclkid=z', ''],
    ['?id=utm_source', '?id=utm_source'],
    ['?my_utm_source=1&gclid2=1', '?my_utm_source=1&gclid2=1'],
    ['?a&&b', '?a&&b'],
    ['?ref=x&source=y&sid=z', '?ref=x&source=y&sid=z'],
  ])('reduces the query %s to %j', (query, kept) => {
    expect(normaliseUrl(`http://example.com/${query}`)).toBe(`http://example.com/${kept}`);
  });

  it('accepts up to 2,048 characters', () => {
    const longest = `http://example.com/${'a'.repeat(2048 - 19)}`;
    expect(normaliseUrl(longest)).toBe(longest);
    expect(normaliseUrl(`${longest}a`)).toBeUndefined();
    expect(normaliseUrl(`${longest}?utm_source=x`)).toBe(longest);
    expect(normaliseUrl(`http://example.com/${'é'.repeat(400)}`)).toBeUndefined();
    expect(normaliseUrl('%'.repeat(10_000_000), 'http://example.com/')).toBeUndefined();
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(target, (input) => {
        const normal = normaliseUrl(input);
        if (normal !== undefined) expect(normaliseUrl(normal)).toBe(normal);
      }),
      { numRuns: 3000 },
    );
  });

  it('does not change what a server decodes', () => {
    const plain = target.filter((input) => !/utm_|mtm_|pk_|clid|[#]/i.test(input));
    fc.assert(
      fc.property(plain, (input) => {
        const before = new URL(input).href;
        expect(asSeenByServer(normaliseUrl(input) ?? '')).toEqual(asSeenByServer(before));
      }),
      { numRuns: 3000 },
    );
  });

  it('does not throw for any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), fc.string(), (input, base) => void normaliseUrl(input, base)));
  });
});

describe('origins', () => {
  it('are scheme, host and port', () => {
    expect(originOf('https://Example.com:443/a?b')).toBe('https://example.com');
    expect(originOf('mailto:a@example.com')).toBeUndefined();
    expect(originOf('http://EXAMPLE.com:80/b')).toBe('http://example.com');
    expect(originOf('http://example.com:8080/')).toBe('http://example.com:8080');
    expect(originOf('nowhere')).toBeUndefined();
  });
});

describe('urlHash', () => {
  it('is the first half of the SHA-256', () => {
    expect(urlHash('')).toBe('e3b0c44298fc1c149afbf4c8996fb924');
  });
});
