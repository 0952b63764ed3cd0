import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { effectiveOrigin, originAllowed } from '../../../../lambdas/domain/sites/access/origin.ts';
import { processorTime } from '../../../support/processor-time.ts';

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const host = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.'));
const anyEntry = fc.oneof(
  fc.string(),
  host,
  host.map((name) => `*.${name}`),
  fc.constantFrom('null', '*.', '**', '*.*', '://'),
);

describe('an entry of the allowed domains', () => {
  it.each([
    ['example.com', 'https://example.com', true],
    ['EXAMPLE.com', 'https://example.com', true],
    [' example.com ', 'https://example.com', true],
    ['example.com/', 'https://example.com', true],
    ['example.com', 'http://example.com:3000', true],
    ['example.com', 'https://www.example.com', false],
    ['*.example.com', 'https://www.example.com', true],
    ['*.example.com', 'https://a.b.example.com', true],
    ['*.example.com', 'https://example.com', false],
    ['*.example.com', 'https://notexample.com', false],
    ['*.EXAMPLE.com', 'https://www.example.com', true],
    ['https://example.com', 'http://example.com', false],
    ['https://*.example.com', 'https://a.example.com', true],
    ['HTTPS://example.com', 'https://example.com', true],
    ['example.com:8080', 'https://example.com:8080', true],
    ['example.com:8080', 'https://example.com', false],
    ['example.com:443', 'https://example.com', true],
    ['example.com:80', 'http://example.com', true],
    ['bücher.example', 'https://xn--bcher-kva.example', true],
    ['xn--bcher-kva.example', 'https://xn--bcher-kva.example', true],
    ['localhost:3000', 'http://localhost:3000', true],
    ['127.0.0.1', 'http://127.0.0.1:8787', true],
    ['[::1]', 'http://[::1]:8787', true],
    ['*.com.*', 'https://example.com', false],
    ['www.*', 'https://www.example', false],
    ['*example.com', 'https://myexample.com', false],
    ['example.com/path', 'https://example.com', false],
    ['', 'https://example.com', false],
    ['.', 'https://example.com', false],
    ['null', 'null', false],
    ['example.com', 'https://example.com.evil.example', false],
    ['example.com', 'https://example.com@evil.example', false],
  ])('%j for %s: %j', (entry, origin, isAllowed) => {
    expect(originAllowed(origin, [entry])).toBe(isAllowed);
  });

  it('the domain `*` admits every request, also without an origin', () => {
    const origin = fc.option(fc.oneof(fc.webUrl(), fc.string()), { nil: undefined });
    fc.assert(fc.property(origin, fc.array(anyEntry), (asked, entries) => originAllowed(asked, [...entries, '*'])));
  });

  it('no other domain admits a missing origin or `null`', () => {
    fc.assert(
      fc.property(fc.array(anyEntry.filter((entry) => entry !== '*')), (entries) => {
        expect(originAllowed(undefined, entries)).toBe(false);
        expect(originAllowed('null', entries)).toBe(false);
      }),
    );
  });

  it('a domain admits its host, and with a star only hosts below it', () => {
    fc.assert(
      fc.property(host, label, fc.constantFrom('http', 'https'), (name, below, scheme) => {
        expect(originAllowed(`${scheme}://${name}`, [name])).toBe(true);
        expect(originAllowed(`${scheme}://${below}.${name}`, [name])).toBe(false);
        expect(originAllowed(`${scheme}://${below}.${name}`, [`*.${name}`])).toBe(true);
        expect(originAllowed(`${scheme}://${below}${name}`, [`*.${name}`])).toBe(false);
        expect(originAllowed(`${scheme}://${name}.${below}`, [name, `*.${name}`])).toBe(false);
      }),
    );
  });

  it('a domain is matched in linear time', () => {
    const taken = processorTime();
    for (const entry of [
      '*.'.repeat(50_000),
      'a'.repeat(100_000),
      `${'a.'.repeat(50_000)}:`,
      `[${':'.repeat(100_000)}`,
    ])
      expect(originAllowed('https://example.com', [entry])).toBe(false);
    expect(taken()).toBeLessThan(500);
  });
});

describe('the origin of a request', () => {
  it.each([
    ['https://a.example', 'https://b.example/', 'https://a.example'],
    [undefined, 'https://b.example:8443/path?query#hash', 'https://b.example:8443'],
    ['', 'http://b.example', 'http://b.example'],
    ['null', 'https://b.example/', 'null'],
    [undefined, 'no address', undefined],
    [undefined, '', undefined],
    [undefined, undefined, undefined],
    [undefined, 'data:text/html,x', 'null'],
  ])('with Origin %j and Referer %j is %j', (origin, referer, expected) => {
    expect(effectiveOrigin(origin, referer)).toBe(expected);
  });
});
