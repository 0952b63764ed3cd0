import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, type Json, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { type ScriptedServer, type ServedRequest, scriptedServer } from '../support/scripted-server.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';

/** Follows the text of the convention, and shares no code with what signs. */
function isSigned({ headers, body }: ServedRequest, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

describe('webhooks', () => {
  let service: TestApi;
  let web: WebSite;
  let receiver: ScriptedServer;
  let siteId: string;

  beforeAll(async () => {
    service = await openApi({
      env: { CRAWL_ALLOW_HOSTS: '127.0.0.1,127.0.0.2', WEBHOOK_ALLOW_HOSTS: '127.0.0.1' },
      workers: true,
    });
    web = await webSite({ '/': htmlPage('Start', 'All of it.', ['/a']), '/a': htmlPage('A', 'One page of text.') });
    receiver = await scriptedServer((response) => response.writeHead(204).end());
  });
  beforeEach(async () => {
    siteId = await service.createSite(web.origin);
    receiver.requests.length = 0;
  });
  afterAll(async () => {
    await service.end();
    await Promise.all([web.close(), receiver.close()]);
  });

  const create = async (body: object): Promise<Answer> => service.api('POST', `/sites/${siteId}/webhooks`, body);
  const list = async (): Promise<Json> => (await service.api('GET', `/sites/${siteId}/webhooks`)).body;
  const received = () => eventually(async () => receiver.requests.find(({ body }) => body !== ''));
  const dataOf = ({ body }: ServedRequest): Json => JSON.parse(body) as Json;

  it('a webhook receives the end of a crawl, once and signed', async () => {
    const { status, body } = await create({ url: `${receiver.url}/hook` });
    expect(status).toBe(201);
    expect(body).toMatchObject({ events: expect.arrayContaining(['crawl.completed', 'review.created']) });
    const jobId = await service.startCrawl(siteId);
    await service.ended(jobId);
    const request = await received();
    expect(isSigned(request, String(body.secret))).toBe(true);
    expect(isSigned(request, 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD')).toBe(false);
    expect(request.headers['webhook-id']).toBe(`evt_${jobId}`);
    expect(dataOf(request)).toMatchObject({
      type: 'crawl.completed',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      data: { jobId, siteId, status: 'completed', pagesProcessed: 2 },
    });
    const log = await eventually(async () =>
      listOf((await list()).deliveries).find((delivery) => String(delivery.status) === 'delivered'),
    );
    expect(log).toMatchObject({ webhookId: body.webhookId, type: 'crawl.completed', attempts: 1, httpStatus: 204 });
    expect(receiver.requests).toHaveLength(1);
  });

  it('a webhook receives crawls that fail and crawls that are cancelled', async () => {
    await create({ url: receiver.url, events: ['crawl.failed', 'crawl.cancelled'] });
    await service.ended(await service.startCrawl(siteId)); // completes: not wanted
    const failing = await service.api('PUT', `/sites/${siteId}`, { baseUrl: 'http://10.0.0.1/' });
    expect(failing.status).toBe(200);
    await service.ended(await service.startCrawl(siteId));
    expect(dataOf(await received())).toMatchObject({ type: 'crawl.failed', data: { endReason: 'private_address' } });
    receiver.requests.length = 0;
    await service.api('PUT', `/sites/${siteId}`, { baseUrl: web.origin, crawlerConfig: { delayMs: 5000 } });
    const jobId = await service.startCrawl(siteId);
    await service.api('DELETE', `/jobs/${jobId}`);
    expect(dataOf(await received())).toMatchObject({ type: 'crawl.cancelled', data: { jobId, status: 'cancelled' } });
  });

  it('a webhook receives a crawl that a purge cancels', async () => {
    await create({ url: receiver.url, events: ['crawl.cancelled'] });
    const jobId = await service.startCrawl(siteId, { delayMs: 5000 });
    await service.api('POST', `/sites/${siteId}/purge`);
    expect(dataOf(await received())).toMatchObject({ type: 'crawl.cancelled', data: { jobId } });
  });

  it('a webhook shows its secret once', async () => {
    const { body } = await create({ url: receiver.url });
    expect(String(body.secret)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const listed = await list();
    expect(listed).toMatchObject({ webhooks: [{ webhookId: body.webhookId, url: receiver.url }], hasMore: false });
    expect(JSON.stringify(listed)).not.toContain('whsec_');
    expect(JSON.stringify((await service.api('GET', `/sites/${siteId}`)).body)).not.toContain('whsec_');
  });

  it('a test of a webhook returns the result of the delivery', async () => {
    const made = (await create({ url: receiver.url, events: ['review.created'] })).body;
    const { status, body } = await service.api('POST', `/sites/${siteId}/webhooks/${made.webhookId}/test`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ type: 'webhook.test', status: 'delivered', httpStatus: 204, attempts: 1 });
    const [request] = receiver.requests;
    expect(request && isSigned(request, String(made.secret))).toBe(true);
    const closed = await create({ url: 'http://127.0.0.1:9/' });
    const failed = await service.api('POST', `/sites/${siteId}/webhooks/${closed.body.webhookId}/test`);
    expect(failed.body).toMatchObject({ status: 'failed', error: 'The server refused or dropped the connection.' });
    expect(listOf((await list()).deliveries).map((delivery) => delivery.status)).toEqual(['failed', 'delivered']);
    expect((await service.api('POST', `/sites/${siteId}/webhooks/${UNKNOWN}/test`)).status).toBe(404);
  });

  it('a deleted webhook receives nothing', async () => {
    const { webhookId } = (await create({ url: receiver.url })).body;
    expect((await service.api('DELETE', `/sites/${siteId}/webhooks/${webhookId}`)).body).toEqual({ success: true });
    expect((await service.api('DELETE', `/sites/${siteId}/webhooks/${webhookId}`)).status).toBe(404);
    await service.ended(await service.startCrawl(siteId));
    expect(await list()).toMatchObject({ webhooks: [], deliveries: [] });
    expect(receiver.requests).toEqual([]);
  });

  it.each([
    [{ url: 'http://127.0.0.2/allowed-for-crawls-only' }, /no public address/],
    [{ url: 'http://168.63.129.16/' }, /no public address/],
    [{ url: 'http://10.0.0.1/hook' }, /no public address/],
    [{ url: 'http://169.254.169.254/latest' }, /no public address/],
    [{ url: 'ftp://a.example/' }, /http/],
    [{ url: 'https://user:pass@a.example/' }, /without a user name/],
    [{ url: '/hook' }, /http/],
    [{ url: 'https://93.184.215.14/', events: ['crawl.started'] }, /events/],
    [{ url: 'https://93.184.215.14/', events: [] }, /events/],
    [{}, /url/],
  ])('are refused with a reason: %j', async (body, message) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatch(message);
  });

  it('a site has at most 20 webhooks, which are listed page by page', async () => {
    for (let made = 0; made < 20; made++) expect((await create({ url: receiver.url })).status).toBe(201);
    expect((await create({ url: receiver.url })).body.error).toMatch(/at most 20/);
    const ids: unknown[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await service.api('GET', `/sites/${siteId}/webhooks?limit=7${cursor}`);
      ids.push(...listOf(body.webhooks).map((webhook) => webhook.webhookId));
      if (!body.hasMore) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(new Set(ids).size).toBe(20);
  });
});
