import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, type Json, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type SitePage, type WebSite, webSite } from '../support/web-site.ts';

const page = (name: string, links: readonly string[] = []): string =>
  htmlPage(`All about ${name}`, `Here ${name} is described, and nothing else of this kind.`, links);
const TOPICS = Array.from({ length: 20 }, (_, index) => `/topic-${index}`);
/** Pages that vanish. */
const LOST = TOPICS.slice(0, 12);

describe('reviews of held removals', () => {
  let service: TestApi;
  let site: WebSite;
  let owner: ApiClient;

  beforeAll(async () => {
    service = await openApi({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' }, workers: true });
    site = await webSite({});
    owner = service.client(service.ready.apiKey);
  });
  beforeEach(() => serve());
  afterAll(async () => {
    await service.end();
    await site.close();
  });

  const serve = (paths: readonly string[] = TOPICS): void => {
    site.pages.clear();
    site.pages.set('/', page('the start', paths));
    for (const path of paths) site.pages.set(path, page(path.slice(1)));
  };
  const lose = (paths: readonly string[] = LOST, answer?: SitePage): void => {
    for (const path of paths) {
      if (answer === undefined) site.pages.delete(path);
      else site.pages.set(path, answer);
    }
  };
  const crawl = async (siteId: string): Promise<Json> => service.ended(await service.startCrawl(siteId));
  const pathsOf = (urls: readonly Json[]): readonly string[] =>
    urls.map((url) => String(url).slice(site.origin.length)).sort();
  const pagesOf = async (siteId: string): Promise<readonly string[]> => {
    const { body } = await service.api('GET', `/sites/${siteId}/pages?limit=200`);
    return pathsOf(listOf(body.items).flatMap(({ url }) => url ?? []));
  };
  const reviewsOf = async (siteId: string) => listOf((await owner('GET', `/api/sites/${siteId}/reviews`)).body.reviews);
  const read = async ({ siteId, reviewId }: Json): Promise<Json> =>
    (await owner('GET', `/api/sites/${siteId}/reviews/${reviewId}`)).body;
  const decide = ({ siteId, reviewId }: Json, decision: 'approve' | 'reject', who = owner): Promise<Answer> =>
    who('POST', `/api/sites/${siteId}/reviews/${reviewId}/${decision}`);
  const swept = (review: Json): Promise<Json> =>
    eventually(async () => {
      const { sweep } = await read(review);
      return String(sweep?.status) === 'running' ? undefined : sweep;
    }, 30_000);
  const heldSite = async (): Promise<{ siteId: string; review: Json }> => {
    serve();
    const siteId = await service.createSite(`${site.origin}/`);
    await crawl(siteId);
    lose();
    const job = await crawl(siteId);
    const [review] = await reviewsOf(siteId);
    expect(job).toMatchObject({ status: 'completed', pagesRemoved: 0, pagesHeld: 12, reviewId: review?.reviewId });
    return { siteId, review: review as Json };
  };

  it('a review holds the removal of a large share of pages, with URLs and reasons', async () => {
    const { siteId, review } = await heldSite();
    const record = {
      siteId,
      status: 'pending',
      urlCount: 12,
      share: 12 / 21,
      urlsAvailable: true,
      decidedAt: null,
      reviewId: expect.any(String),
      jobId: expect.any(String),
      createdAt: expect.any(Number),
    };
    expect(review).toEqual(record);
    const details = await read(review);
    expect(details).toMatchObject({ ...record, nextCursor: null, hasMore: false });
    expect(pathsOf(listOf(details.urls))).toEqual([...LOST].sort());
    expect(details.reasons).toEqual(LOST.map(() => '404'));
    expect(await pagesOf(siteId)).toHaveLength(21);
  });

  it('an approved review deletes the pages that are still gone', async () => {
    const { siteId, review } = await heldSite();
    const returned = LOST.slice(0, 4);
    for (const path of returned) site.pages.set(path, page(path.slice(1)));
    const approved = await decide(review, 'approve');
    expect(approved).toMatchObject({
      status: 200,
      body: { status: 'approved', decidedAt: expect.any(Number), sweep: { status: 'running', deleted: 0, kept: 0 } },
    });
    expect(await swept(review)).toEqual({ status: 'done', deleted: 8, kept: 4 });
    expect(await pagesOf(siteId)).toEqual(['/', ...TOPICS.slice(12), ...returned].sort());
    expect((await service.api('GET', `/sites/${siteId}`)).body).toMatchObject({ pageCount: 13, status: 'ready' });
    expect(await decide(review, 'approve')).toMatchObject({ status: 400, body: { code: 'review_not_pending' } });
    expect(await decide(review, 'reject')).toMatchObject({ status: 409, body: { code: 'review_changed' } });
  });

  it('a rejected review keeps all pages', async () => {
    const { siteId, review } = await heldSite();
    const rejected = await decide(review, 'reject');
    expect(rejected).toMatchObject({ status: 200, body: { status: 'rejected', decidedAt: expect.any(Number) } });
    expect(rejected.body.sweep).toBeUndefined();
    expect(await decide(review, 'reject')).toMatchObject({ status: 409, body: { code: 'review_changed' } });
    expect(await decide(review, 'approve')).toMatchObject({ status: 400, body: { code: 'review_not_pending' } });
    expect(await pagesOf(siteId)).toHaveLength(21);
  });

  it('a review is decided once, whoever decides at the same time', async () => {
    const { review } = await heldSite();
    const answers = await Promise.all([
      ...[1, 2, 3].map(() => decide(review, 'approve')),
      ...[1, 2, 3].map(() => decide(review, 'reject')),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.every((status) => [200, 400, 409].includes(status))).toBe(true);
  });

  it('a newer complete crawl supersedes a review, and holds removals again if necessary', async () => {
    const { siteId, review } = await heldSite();
    lose(['/topic-12']);
    await crawl(siteId);
    const [newer, older, ...others] = await reviewsOf(siteId);
    expect([newer?.status, newer?.urlCount, older?.status, others]).toEqual(['pending', 13, 'superseded', []]);
    expect(older?.reviewId).toBe(review.reviewId);
    expect(await read(review)).toMatchObject({ urls: null, urlsAvailable: false, reasons: null });
    expect(await decide(review, 'approve')).toMatchObject({ status: 400, body: { code: 'review_not_pending' } });
    serve();
    await crawl(siteId);
    expect((await reviewsOf(siteId)).map(({ status }) => status)).toEqual(['superseded', 'superseded']);
    expect(await pagesOf(siteId)).toHaveLength(21);
  });

  it('reviews are listed newest first, in pages', async () => {
    const { siteId } = await heldSite();
    await crawl(siteId);
    const ids = (await reviewsOf(siteId)).map(({ reviewId }) => reviewId);
    const first = (await owner('GET', `/api/sites/${siteId}/reviews?limit=1`)).body;
    expect(first).toMatchObject({ hasMore: true, reviews: [{ reviewId: ids[0] }] });
    const second = (await owner('GET', `/api/sites/${siteId}/reviews?limit=1&cursor=${first.nextCursor}`)).body;
    expect(listOf(second.reviews).map(({ reviewId }) => reviewId)).toEqual(ids.slice(1));
    for (const cursor of ['x', 'é'.repeat(1500), siteId]) {
      const query = `?cursor=${encodeURIComponent(cursor)}`;
      expect((await owner('GET', `/api/sites/${siteId}/reviews${query}`)).status).toBe(400);
      expect((await owner('GET', `/api/sites/${siteId}/reviews/${ids[0]}${query}`)).status).toBe(400);
    }
  });

  it('a review waits while another sweep of the site runs', async () => {
    const { siteId, review } = await heldSite();
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      lose(LOST.slice(0, 1), (_, response) => {
        answer = () => void response.writeHead(404).end();
        resolve();
      });
    });
    expect((await decide(review, 'approve')).status).toBe(200);
    await asked;
    // The crawl waits for its turn, so the second review is written as a crawl would write it.
    const { table } = await import('#adapters/table');
    const { reviewKey } = await import('../../lambdas/domain/crawl/reviews/review.ts');
    const { newId } = await import('../../lambdas/runtime/system.ts');
    const [stored] = await table.getMany([reviewKey(siteId, String(review.reviewId))]);
    const reviewId = newId();
    await table.putMany([{ ...stored, ...reviewKey(siteId, reviewId), reviewId, status: 'pending' }]);
    const { partItem } = await import('../../lambdas/domain/crawl/reviews/review.ts');
    await table.putMany([partItem(reviewId, 0, [{ url: `${site.origin}/topic-1`, reason: '404' }])]);
    const second = { siteId, reviewId } as unknown as Json;
    expect(await decide(second, 'approve')).toMatchObject({ status: 409, body: { code: 'sweep_running' } });
    expect(await decide(second, 'reject')).toMatchObject({ status: 200 });
    answer();
    expect(await swept(review)).toEqual({ status: 'done', deleted: 12, kept: 0 });
  });

  it('a purge ends a review', async () => {
    const { siteId, review } = await heldSite();
    await owner('POST', `/api/sites/${siteId}/purge`);
    expect((await read(review)).status).toBe('superseded');
    expect(await decide(review, 'approve')).toMatchObject({ status: 400, body: { code: 'review_not_pending' } });
  });

  it('a deleted site leaves no review', async () => {
    const { siteId, review } = await heldSite();
    await decide(review, 'approve');
    await swept(review);
    await owner('DELETE', `/api/sites/${siteId}`);
    const { table } = await import('#adapters/table');
    await eventually(async () => {
      const pks = [`SITE#${siteId}`, `REVIEW#${review.reviewId}`, `JOB#${review.reviewId}`];
      const left = await Promise.all(pks.map((pk) => table.query(pk, { limit: 1 })));
      return left.every(({ items }) => items.length === 0) ? true : undefined;
    }, 10_000);
  });

  it('a review is decided only by admins, and is not found by other organisations', async () => {
    const { siteId, review } = await heldSite();
    const member = service.client(await service.makeKey('member'));
    const admin = service.client(await service.makeKey('admin'));
    const stranger = service.client((await service.makeOrganisation('pro')).apiKey);
    expect((await member('GET', `/api/sites/${siteId}/reviews`)).status).toBe(200);
    for (const decision of ['approve', 'reject'] as const) {
      expect(await decide(review, decision, member)).toMatchObject({ status: 403, body: { code: 'forbidden_role' } });
      expect((await decide(review, decision, stranger)).status).toBe(404);
    }
    expect((await stranger('GET', `/api/sites/${siteId}/reviews`)).status).toBe(404);
    expect((await owner('GET', `/api/jobs/${review.reviewId}`)).status).toBe(404);
    const unknown = { siteId, reviewId: siteId } as unknown as Json;
    expect((await owner('GET', `/api/sites/${siteId}/reviews/${siteId}`)).status).toBe(404);
    expect((await decide(unknown, 'approve')).status).toBe(404);
    expect((await decide(review, 'reject', admin)).status).toBe(200);
  });
});
