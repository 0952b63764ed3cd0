import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pageKey, textKey } from '../../../lambdas/domain/pages/page-registry.ts';
import { urlHash } from '../../../lambdas/text/web/url.ts';

const SITE = '01890000-0000-7000-8000-000000000000';
const keyOf = (url: string, generation = 1) => pageKey(SITE, generation, { url, urlHash: urlHash(url) }).sk;
const url = fc
  .tuple(fc.webPath(), fc.nat(2000))
  .map(([path, more]) => `https://example.org${path}/${'a'.repeat(more)}`);

describe('the key of a page', () => {
  it('the key of a page has at most 1,024 bytes, and is different for every URL', () => {
    fc.assert(
      fc.property(url, url, (a, b) => {
        expect(Buffer.byteLength(keyOf(a))).toBeLessThanOrEqual(1024);
        expect(keyOf(a) === keyOf(b)).toBe(a === b);
      }),
    );
    const long = `https://example.org/${'a'.repeat(2000)}`;
    expect(keyOf(`${long}b`)).not.toBe(keyOf(`${long}c`));
  });

  it('the key of a page sorts by generation, then by URL', () => {
    const short = fc.webPath().map((path) => `https://example.org${path}`);
    fc.assert(
      fc.property(short, short, fc.nat(1e7), fc.nat(1e7), (a, b, older, newer) => {
        expect(keyOf(a, 1) < keyOf(b, 1)).toBe(a < b);
        fc.pre(older < newer);
        expect(keyOf(a, older) < keyOf(b, newer)).toBe(true);
      }),
    );
  });

  it('the key of a page is distinct from the key of a text', () => {
    expect(keyOf('https://example.org/').startsWith(textKey(SITE, 1, '').sk)).toBe(false);
  });
});
