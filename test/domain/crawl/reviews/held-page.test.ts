import { beforeAll, describe, expect, it } from '@jest/globals';
import { type GonePage, heldPage, PAGES_PER_PART, partItem } from '../../../../lambdas/domain/crawl/reviews/review.ts';
import { urlHash } from '../../../../lambdas/text/web/url.ts';
import { memoryTable } from '../../../support/memory/table.ts';

const table = memoryTable();

const PAGES = 1000;
const reviewId = '01890000-0000-7000-8000-000000000009';

const pages: readonly GonePage[] = Array.from({ length: PAGES }, (_, index) => ({
  url: `https://a.example/${index}`,
  reason: '404' as const,
})).sort((a, b) => (urlHash(a.url) < urlHash(b.url) ? -1 : 1));
const parts = Math.ceil(PAGES / PAGES_PER_PART);

describe('a page of a review', () => {
  beforeAll(async () => {
    for (let part = 0; part < parts; part++) {
      const held = pages.slice(part * PAGES_PER_PART, (part + 1) * PAGES_PER_PART);
      await table.putMany([partItem(reviewId, part, held)]);
    }
  });

  it('a page of a review is found by its URL, whichever part contains it', async () => {
    for (const page of pages) expect(await heldPage({ reviewId, parts }, page.url, table)).toEqual(page);
  });

  it('a page is not found if the review does not hold it, or has lost its parts', async () => {
    expect(await heldPage({ reviewId, parts }, 'https://a.example/x', table)).toBeUndefined();
    expect(await heldPage({ reviewId: 'other', parts: 3 }, 'https://a.example/1', table)).toBeUndefined();
    expect(await heldPage({ reviewId, parts: 0 }, 'https://a.example/1', table)).toBeUndefined();
  });
});
