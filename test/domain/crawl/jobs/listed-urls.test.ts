import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { listItems } from '../../../../lambdas/domain/crawl/jobs/start-crawl.ts';
import { urlParts } from '../../../../lambdas/domain/sites/crawl-urls.ts';

describe('a list of URLs', () => {
  it('a list of URLs is split into parts that fit into an item', () => {
    const url = fc.integer({ min: 1, max: 2048 }).map((length) => 'x'.repeat(length));
    fc.assert(
      fc.property(fc.array(url, { maxLength: 400 }), (urls) => {
        const parts = urlParts(urls);
        expect(parts.flat()).toEqual(urls);
        for (const part of parts) expect(JSON.stringify(part).length).toBeLessThan(400_000);
        for (const part of parts) expect(part).not.toHaveLength(0);
      }),
      { numRuns: 50 },
    );
  });

  it('a list of URLs keeps its order in the items of a job, which expire', () => {
    const urls = Array.from({ length: 2500 }, (_, n) => `http://h/${n}/${'x'.repeat(1000)}`);
    const items = listItems('j', urls, 1000);
    expect(items.toSorted((a, b) => (a.sk < b.sk ? -1 : 1)).flatMap((item) => item.urls)).toEqual(urls);
    for (const item of items) expect(JSON.stringify(item).length).toBeLessThan(400_000);
    for (const { expiresAt } of items) expect(expiresAt).toBeGreaterThan(1000 + 7 * 24 * 3600);
  });
});
