import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { UrlHashes } from '../../../../lambdas/domain/crawl/frontier/known-urls.ts';
import { urlHash } from '../../../../lambdas/text/web/url.ts';

describe('a set of URL hashes', () => {
  it('a set of URL hashes has exactly the added hashes, however large it grows', () => {
    const hashes = new UrlHashes();
    const added = Array.from({ length: 20_000 }, (_, index) => urlHash(`https://example.com/${index}`));
    for (const hash of added) hashes.add(hash);
    expect(hashes.size).toBe(added.length);
    expect(added.every((hash) => hashes.has(hash))).toBe(true);
    const others = Array.from({ length: 20_000 }, (_, index) => urlHash(`https://example.org/${index}`));
    expect(others.some((hash) => hashes.has(hash))).toBe(false);
  });

  it('behaves as a Set, also with many collisions', () => {
    const digits = fc.constantFrom('00000000', '00000001', '000003ff', 'ffffffff');
    const hash = fc
      .tuple(digits, digits)
      .map(([high, low]) => `${high}${low === '00000000' ? '00000002' : low}`.padEnd(32, '0'));
    fc.assert(
      fc.property(fc.array(hash), fc.array(hash), (added, asked) => {
        const hashes = new UrlHashes();
        for (const one of added) hashes.add(one);
        const expected = new Set(added);
        expect(hashes.size).toBe(expected.size);
        for (const one of [...added, ...asked]) expect(hashes.has(one)).toBe(expected.has(one));
      }),
    );
  });
});
