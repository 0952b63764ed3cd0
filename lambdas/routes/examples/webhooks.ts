import type { webhooks as routes } from '../webhooks.ts';
import { type Example, IDS, NOW } from './example.ts';

const { webhookId, jobId } = IDS;
const webhook = {
  webhookId,
  url: 'https://www.example.com/hooks/search',
  createdAt: NOW,
  events: ['crawl.failed', 'review.created'],
};
const delivery = { webhookId, url: webhook.url, createdAt: NOW + 3600, attempts: 1, lastAttemptAt: NOW + 3601 };

export const webhooks = {
  'list-webhooks': {
    response: {
      webhooks: [webhook],
      deliveries: [
        {
          ...delivery,
          eventId: `evt_${jobId}`,
          type: 'crawl.failed',
          status: 'pending',
          httpStatus: 503,
          error: 'The server answered 503, not 2xx.',
          nextAttemptAt: NOW + 3606,
        },
      ],
      nextCursor: null,
      hasMore: false,
    },
  },
  'create-webhook': {
    body: { url: webhook.url, events: webhook.events },
    response: { ...webhook, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' },
  },
  'delete-webhook': { response: { success: true } },
  'test-webhook': {
    response: {
      ...delivery,
      eventId: 'evt_01890000-0000-7000-8000-000000000000',
      type: 'webhook.test',
      status: 'delivered',
      httpStatus: 204,
    },
  },
} satisfies Record<keyof typeof routes, Example>;
