import { beforeAll, describe, expect, it } from '@jest/globals';
import { approveReview } from '../../../../lambdas/domain/crawl/reviews/decide-review.ts';
import { getReview } from '../../../../lambdas/domain/crawl/reviews/read-reviews.ts';
import {
  PAGES_PER_PART,
  partItem,
  partKey,
  type Review,
  reviewKey,
} from '../../../../lambdas/domain/crawl/reviews/review.ts';
import { stateKey } from '../../../../lambdas/domain/sites/site.ts';
import { newId } from '../../../../lambdas/runtime/system.ts';
import { newSite } from '../../../support/crawl-here.ts';
import { queue, table } from '../../../support/memory/stores.ts';

const URLS = 12_345;
const BASE_URL = 'https://www.example/';
const urlOf = (index: number): string => `${BASE_URL}page-${String(index).padStart(6, '0')}`;

describe('a review of many pages', () => {
  let site: Awaited<ReturnType<typeof newSite>>;

  beforeAll(async () => {
    site = await newSite(BASE_URL);
  });

  async function makeReview(): Promise<Review> {
    const { siteId } = site;
    const reviewId = newId();
    const parts = Math.ceil(URLS / PAGES_PER_PART);
    for (let part = 0; part < parts; part++) {
      const first = part * PAGES_PER_PART;
      const count = Math.min(PAGES_PER_PART, URLS - first);
      const pages = Array.from({ length: count }, (_, index) => ({
        url: urlOf(first + index),
        reason: '404' as const,
      }));
      await table.putMany([partItem(reviewId, part, pages)]);
    }
    const review: Review = {
      reviewId,
      siteId,
      jobId: newId(),
      status: 'pending',
      urlCount: URLS,
      parts,
      share: 1,
      generation: 1,
      baseUrl: BASE_URL,
      isListed: false,
      createdAt: 1_900_000_000,
    };
    await table.putMany([{ ...reviewKey(siteId, reviewId), ...review }]);
    return review;
  }
  const deps = { table, queue, clock: Date.now };

  it('a review of many pages lists its URLs in pages of at most 10,000, each URL once', async () => {
    const review = await makeReview();
    const urls: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await getReview({ ...review, cursor }, site, table);
      expect(page.urls?.length).toBeLessThanOrEqual(10_000);
      expect(page.reasons?.length).toBe(page.urls?.length);
      urls.push(...(page.urls ?? []));
      cursor = page.next;
    } while (cursor !== undefined);
    expect(urls).toEqual(Array.from({ length: URLS }, (_, index) => urlOf(index)));
  });

  it('a review has no URLs if a part is lost, and cannot be approved then', async () => {
    const review = await makeReview();
    await table.removeMany([partKey(review.reviewId, review.parts - 1)]);
    expect(await getReview(review, site, table)).toMatchObject({ urls: null, reasons: null, urlsAvailable: false });
    await expect(approveReview(review, site, deps)).rejects.toMatchObject({ code: 'urls_unavailable' });
  });

  it('a review cannot be approved once the site has another address', async () => {
    const review = await makeReview();
    await table.update(stateKey(site.siteId), { set: { effectiveBaseUrl: 'https://example/' } });
    await expect(approveReview(review, site, deps)).rejects.toMatchObject({ code: 'address_mismatch' });
  });
});
