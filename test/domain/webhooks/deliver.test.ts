import { beforeEach, describe, expect, it } from '@jest/globals';
import { reviewKey } from '../../../lambdas/domain/crawl/reviews/review.ts';
import type { Queue, QueueMessage } from '../../../lambdas/domain/ports/queue.ts';
import type { WebhookAnswer, WebhookRequest } from '../../../lambdas/domain/ports/webhook-sender.ts';
import { attemptDelivery, RETRY_DELAYS, resendDeliveries } from '../../../lambdas/domain/webhooks/deliver.ts';
import { KEPT_DELIVERIES, lastDeliveries } from '../../../lambdas/domain/webhooks/delivery.ts';
import { fanOutEvents } from '../../../lambdas/domain/webhooks/fan-out.ts';
import { deleteWebhook } from '../../../lambdas/domain/webhooks/manage-webhooks.ts';
import { addEvent, everyEvent } from '../../../lambdas/domain/webhooks/outbox.ts';
import { takeTurn } from '../../../lambdas/domain/webhooks/turn.ts';
import { type Webhook, webhooksKey } from '../../../lambdas/domain/webhooks/webhook.ts';
import { queues } from '../../../lambdas/messages.ts';
import { newId } from '../../../lambdas/runtime/system.ts';
import { newSite } from '../../support/crawl-here.ts';
import { eventually } from '../../support/eventually.ts';
import { table } from '../../support/memory/stores.ts';

const START = 1_800_000_000;
const OK: WebhookAnswer = { kind: 'answer', status: 200 };
const DOWN: WebhookAnswer = { kind: 'answer', status: 503 };

describe('the delivery of events', () => {
  let site: Awaited<ReturnType<typeof newSite>>;
  let webhook: Webhook;
  let now: number;
  let answers: WebhookAnswer[];
  let requests: WebhookRequest[];
  let messages: { readonly dueAt: number; readonly body: string }[];

  const queue: Pick<Queue, 'send'> & Queue = {
    async send(_, message: QueueMessage) {
      const delay = 'delaySeconds' in message ? (message.delaySeconds ?? 0) : 0;
      messages.push({ dueAt: now + delay, body: message.body });
    },
    receive: async () => [],
    acknowledge: async () => undefined,
    release: async () => undefined,
  };
  const sender = {
    async send(request: WebhookRequest) {
      requests.push(request);
      return answers.shift() ?? OK;
    },
  };
  const deps = { table, queue, sender, clock: () => now * 1000 };

  beforeEach(async () => {
    for await (const { pk, sk } of everyEvent(table)) await table.removeMany([{ pk, sk }]);
    site = await newSite('https://docs.example/');
    webhook = {
      webhookId: newId(),
      url: 'https://hook.example/',
      events: ['review.created'],
      secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
      createdAt: START,
    };
    await table.putMany([{ ...webhooksKey(site.siteId), webhooks: [webhook], version: 1 }]);
    [now, answers, requests, messages] = [START, [], [], []];
  });

  /** The event of a review, as a crawl makes it. */
  async function makeEvent(type: 'review.created' | 'crawl.failed' = 'review.created'): Promise<string> {
    const { siteId } = site;
    const reviewId = newId();
    await table.putMany([
      { ...reviewKey(siteId, reviewId), siteId, reviewId, jobId: newId(), urlCount: 3, share: 0.5 },
    ]);
    await table.write([addEvent({ siteId, type, subjectId: reviewId, occurredAt: now })]);
    return reviewId;
  }

  /** Works the messages that are due, as the queue's worker does. */
  async function workDue(): Promise<void> {
    for (;;) {
      const index = messages.findIndex(({ dueAt }) => dueAt <= now);
      if (index < 0) return;
      const [{ body } = { body: '' }] = messages.splice(index, 1);
      const work = queues.webhooks.message.parse(JSON.parse(body));
      if ('deliveryId' in work) await attemptDelivery(work, deps);
      else await fanOutEvents(work.siteId, deps);
    }
  }

  /** Lets time pass in minutes, at each of which the watchdog runs. */
  async function pass(seconds: number): Promise<void> {
    for (const end = now + seconds; now < end; ) {
      now = Math.min(end, now + 60);
      await resendDeliveries(deps);
      await workDue();
    }
  }

  const log = async () => (await lastDeliveries(site.siteId, table)).items;

  it('sends an event once, signed, to each webhook that wants it', async () => {
    const reviewId = await makeEvent();
    await makeEvent('crawl.failed');
    await fanOutEvents(site.siteId, deps);
    await fanOutEvents(site.siteId, deps);
    await workDue();
    await pass(3600);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ url: webhook.url, headers: { 'webhook-id': `evt_${reviewId}` } });
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      type: 'review.created',
      timestamp: new Date(START * 1000).toISOString(),
      data: expect.objectContaining({ reviewId, urlCount: 3, share: 0.5 }),
    });
    expect(await log()).toMatchObject([{ status: 'delivered', attempts: 1, httpStatus: 200 }]);
  });

  it('repeats a failed delivery for a day, each time with the same id and body and a new time, then ends it as failed', async () => {
    answers = Array.from({ length: 100 }, () => DOWN);
    await makeEvent();
    await fanOutEvents(site.siteId, deps);
    await workDue();
    await pass(2 * 86_400);
    expect(requests).toHaveLength(1 + RETRY_DELAYS.length);
    expect(new Set(requests.map(({ body, headers }) => body + headers['webhook-id'])).size).toBe(1);
    const times = requests.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect((times.at(-1) ?? 0) - START).toBeGreaterThan(23 * 3600);
    expect((times.at(-1) ?? 0) - START).toBeLessThan(25 * 3600);
    const [delivery] = await log();
    expect(delivery).toMatchObject({ status: 'failed', attempts: requests.length, httpStatus: 503 });
    expect(delivery).not.toHaveProperty('nextAttemptAt');
    expect(messages).toEqual([]);
  });

  it('continues a delivery when the server is available again', async () => {
    answers = [DOWN, { kind: 'failure', reason: 'timeout' }, OK];
    await makeEvent();
    await fanOutEvents(site.siteId, deps);
    await workDue();
    expect(await log()).toMatchObject([{ status: 'pending', attempts: 1, nextAttemptAt: START + 5 }]);
    await pass(300);
    expect(requests).toHaveLength(3);
    const [delivery] = await log();
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 3, httpStatus: 200 });
    expect(delivery).not.toHaveProperty('error');
  });

  it('ends a delivery at an answer 410, and when the webhook is deleted', async () => {
    answers = [{ kind: 'answer', status: 410 }, DOWN];
    await makeEvent();
    await fanOutEvents(site.siteId, deps);
    await workDue();
    expect(await log()).toMatchObject([{ status: 'failed', attempts: 1 }]);
    now++;
    await makeEvent();
    await fanOutEvents(site.siteId, deps);
    await workDue();
    await deleteWebhook({ siteId: site.siteId, webhookId: webhook.webhookId }, site, table);
    await pass(86_400);
    expect(requests).toHaveLength(2);
    expect(await log()).toMatchObject([{ status: 'failed', error: 'The webhook was deleted.' }, { status: 'failed' }]);
  });

  it('makes an attempt once, however often its message is delivered, and again if its worker dies', async () => {
    await makeEvent();
    await fanOutEvents(site.siteId, deps);
    const [{ body } = { body: '' }] = messages.splice(0);
    const work = queues['webhooks-dead'].message.parse(JSON.parse(body));
    if (!('deliveryId' in work)) throw new Error('no attempt was sent');
    const dying = { ...deps, sender: { send: () => Promise.reject(new Error('the process dies')) } };
    await expect(attemptDelivery(work, dying)).rejects.toThrow('dies');
    await attemptDelivery(work, deps);
    expect(requests).toHaveLength(0);
    await pass(180);
    expect(requests).toHaveLength(1);
    expect(await log()).toMatchObject([{ status: 'delivered' }]);
  });

  it('sends events again whose message was lost', async () => {
    await makeEvent();
    await pass(180);
    expect(requests).toHaveLength(1);
  });

  it.each(['event', 'delivery', 'retry'])(
    'sends the %s that has lost its message before the clock was set back',
    async (lost) => {
      answers = lost === 'retry' ? [DOWN] : [];
      await makeEvent();
      if (lost !== 'event') await fanOutEvents(site.siteId, deps);
      if (lost === 'retry') await workDue();
      messages = [];
      now -= 2 * 86_400;
      await pass(180);
      expect(await log()).toMatchObject([{ status: 'delivered' }]);
    },
  );

  describe('to servers that do not answer', () => {
    const TIMEOUT: WebhookAnswer = { kind: 'failure', reason: 'timeout' };

    it('sends one message of an organisation at a time, and loses none, if servers do not answer', async () => {
      const webhooks = Array.from({ length: 20 }, () => ({ ...webhook, webhookId: newId() }));
      await table.putMany([{ ...webhooksKey(site.siteId), webhooks, version: 2 }]);
      const other = await newSite('https://other.example/');
      await table.putMany([{ ...webhooksKey(other.siteId), webhooks: [webhook], version: 1 }]);
      await makeEvent();
      await fanOutEvents(site.siteId, deps);
      const works = messages.splice(0);
      expect(works).toHaveLength(20);
      const answered = Promise.withResolvers<WebhookAnswer>();
      const waiting = {
        send: (request: WebhookRequest) => {
          requests.push(request);
          return answered.promise;
        },
      };
      const attempt = ({ body }: { readonly body: string }) => {
        const work = queues['webhooks-dead'].message.parse(JSON.parse(body));
        if (!('deliveryId' in work)) throw new Error('no attempt was sent');
        return attemptDelivery(work, { ...deps, sender: waiting });
      };
      const [first, ...others] = works;
      const sending = first && attempt(first);
      await eventually(async () => requests[0]);
      for (const work of others) await attempt(work);
      expect(requests).toHaveLength(1);
      expect(messages.map(({ dueAt }) => dueAt - START).toSorted((a, b) => a - b)).toEqual([
        ...[1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4],
      ]);

      const [own] = [site];
      site = other;
      await makeEvent();
      await fanOutEvents(other.siteId, deps);
      await workDue();
      expect(requests).toHaveLength(2);
      expect(await log()).toMatchObject([{ status: 'delivered' }]);

      site = own;
      answered.resolve(OK);
      await sending;
      await pass(60);
      expect((await log()).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 'delivered'));
      expect(requests).toHaveLength(21);
    });

    it('continues after twenty seconds if the worker died whose turn it was', async () => {
      expect(await takeTurn(site.orgId, deps)).toBeDefined();
      await makeEvent();
      await fanOutEvents(site.siteId, deps);
      await workDue();
      expect(requests).toHaveLength(0);
      await pass(60);
      expect(requests).toHaveLength(1);
    });

    it('continues at once if the clock was set back', async () => {
      expect(await takeTurn(site.orgId, deps)).toBeDefined();
      answers = [TIMEOUT, TIMEOUT, TIMEOUT];
      now -= 2 * 86_400;
      for (let event = 0; event < 3; event++) {
        await makeEvent();
        await fanOutEvents(site.siteId, deps);
        await workDue();
      }
      expect(requests).toHaveLength(3);
      now -= 2 * 86_400;
      await makeEvent();
      await fanOutEvents(site.siteId, deps);
      await workDue();
      expect(requests).toHaveLength(4);
      await pass(3600);
      expect((await log()).map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'delivered'));
    });

    it('leaves a server alone for five minutes that did not answer three times in a row', async () => {
      answers = [TIMEOUT, TIMEOUT, TIMEOUT];
      for (let event = 0; event < 5; event++) {
        await makeEvent();
        await fanOutEvents(site.siteId, deps);
        await workDue();
      }
      expect(requests).toHaveLength(3);
      const errors = (await log()).map(({ error = '' }) => error);
      expect(errors.filter((error) => error.startsWith('Nothing was sent'))).toHaveLength(2);
      await pass(240);
      expect(requests).toHaveLength(3);
      await pass(1200);
      expect((await log()).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'delivered'));
    });
  });

  it('stores the last fifty deliveries', async () => {
    for (let event = 0; event < KEPT_DELIVERIES + 10; event++) {
      now++;
      await makeEvent();
      await fanOutEvents(site.siteId, deps);
      await workDue();
    }
    const all = await table.query(`SITE#${site.siteId}`, { prefix: 'DELIVERY#', limit: 1000 });
    expect(all.items.length).toBeLessThanOrEqual(KEPT_DELIVERIES + 1);
    expect(await log()).toHaveLength(KEPT_DELIVERIES);
  });

  it('drops the events of a deleted site', async () => {
    await makeEvent();
    await table.removeMany([webhooksKey(site.siteId)]);
    await pass(180);
    expect(requests).toEqual([]);
    expect((await table.query('OUTBOX', { limit: 10 })).items).toEqual([]);
  });
});
