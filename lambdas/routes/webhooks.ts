import * as z from 'zod';
import { HttpUrl } from '../domain/sites/site-settings.ts';
import { EVENT_TYPES, TEST_EVENT } from '../domain/webhooks/webhook.ts';
import { pageQuery, SiteParams } from './parameters.ts';
import { Count, EpochSeconds, paging, Success } from './response-fields.ts';
import { admin, type Route } from './route.ts';

const EventType = z.enum(EVENT_TYPES);
const WebhookId = z.uuid().describe('the webhook');

const Webhook = z
  .object({
    webhookId: WebhookId,
    url: z.string().describe('receives each event by POST'),
    events: z.array(EventType).describe('the events that are sent to it'),
    createdAt: EpochSeconds.describe('when it was added, in epoch seconds'),
  })
  .meta({ id: 'Webhook' });

/** Not called NewWebhook, because generators for Go give that name to the constructor of Webhook. */
const CreatedWebhook = Webhook.extend({
  secret: z.string().describe('signs the messages by the Standard Webhooks convention; shown only in this response'),
}).meta({ id: 'CreatedWebhook' });

const WebhookDelivery = z
  .object({
    webhookId: WebhookId,
    eventId: z.string().describe('the header webhook-id; the same in every attempt'),
    type: z.enum([...EVENT_TYPES, TEST_EVENT]).describe('of the event'),
    url: z.string().describe('where it was sent to'),
    status: z.enum(['pending', 'delivered', 'failed']).describe('`pending`: it is tried again'),
    createdAt: EpochSeconds.describe('when the event happened, in epoch seconds'),
    attempts: Count.describe('attempts that were made'),
    lastAttemptAt: EpochSeconds.optional().describe('the last attempt, in epoch seconds'),
    httpStatus: z.int().optional().describe('of the last attempt, if the server responded'),
    error: z.string().optional().describe('why the last attempt failed'),
    nextAttemptAt: EpochSeconds.optional().describe('the next attempt, in epoch seconds; absent if there is none'),
  })
  .meta({ id: 'WebhookDelivery' });

export const CreateWebhookRequest = z
  .object({
    url: HttpUrl.describe('receives each event by POST; must answer 2xx within 10 seconds'),
    events: z
      .array(EventType)
      .min(1)
      .max(EVENT_TYPES.length)
      .default([...EVENT_TYPES])
      .describe('the events that are sent to it'),
  })
  .meta({ id: 'CreateWebhookRequest' });

const WebhookList = z
  .object({
    webhooks: z.array(Webhook).describe('oldest first, at most 20 of a site'),
    deliveries: z.array(WebhookDelivery).describe('the last 50 of the site, newest first'),
    ...paging,
  })
  .meta({ id: 'WebhookList' });

const WebhookParams = SiteParams.extend({ webhookId: WebhookId });

export const webhooks = {
  'list-webhooks': {
    method: 'get',
    paths: ['/sites/{siteId}/webhooks'],
    summary: 'List the webhooks of a site and its last 50 deliveries',
    access: admin,
    params: SiteParams,
    query: pageQuery({ maxLimit: 100 }).extend({
      cursor: z.uuid().optional().describe('`nextCursor` of the previous page'),
    }),
    status: 200,
    response: WebhookList,
  },
  'create-webhook': {
    method: 'post',
    paths: ['/sites/{siteId}/webhooks'],
    summary: 'Create a webhook; its secret is shown only once',
    uses: ['table'],
    access: admin,
    params: SiteParams,
    body: CreateWebhookRequest,
    status: 201,
    response: CreatedWebhook,
    errors: ['address_unverified'],
  },
  'delete-webhook': {
    method: 'delete',
    paths: ['/sites/{siteId}/webhooks/{webhookId}'],
    summary: 'Delete a webhook; nothing more is sent to it',
    uses: ['table'],
    access: admin,
    params: WebhookParams,
    status: 200,
    response: Success,
  },
  'test-webhook': {
    method: 'post',
    paths: ['/sites/{siteId}/webhooks/{webhookId}/test'],
    summary: 'Send a test event to a webhook now, in one attempt',
    uses: ['table'],
    access: admin,
    params: WebhookParams,
    status: 200,
    response: WebhookDelivery,
  },
} as const satisfies Record<string, Route>;
