import { readJob } from '../crawl/jobs/job.ts';
import { jobView } from '../crawl/jobs/job-view.ts';
import { type Review, reviewKey } from '../crawl/reviews/review.ts';
import type { Queue } from '../ports/queue.ts';
import type { Table } from '../ports/table.ts';
import { addDelivery, deliveryIdOf, forgetOldDeliveries, newDelivery, sendDelivery } from './delivery.ts';
import { eventsOf, outboxKey, type SiteEvent } from './outbox.ts';
import { siteWebhooks } from './webhook.ts';

type Deps = { readonly table: Table; readonly queue: Queue };

/**
 * Turns each event of a site into one delivery for each webhook that receives its type, in one write. After a completed
 * crawl, it starts a check of the site's health.
 */
export async function fanOutEvents(siteId: string, { table, queue }: Deps): Promise<void> {
  for await (const event of eventsOf(siteId, table)) {
    const { webhooks } = await siteWebhooks(siteId, table);
    const wanting = webhooks.filter(({ events }) => events.includes(event.type));
    const data = wanting.length > 0 ? await dataOf(event, table) : undefined;
    if (event.type === 'crawl.completed')
      await queue.send('site-health', { body: JSON.stringify({ siteId, jobId: event.subjectId }) });
    const deliveries = data ? wanting.map((webhook) => newDelivery(event, webhook, data)) : [];
    const refused = await table.write([
      { remove: outboxKey(event), when: { exists: true } },
      ...deliveries.flatMap(addDelivery),
    ]);
    if (refused.length > 0) continue; // another worker has turned this event into deliveries
    for (const delivery of deliveries)
      await sendDelivery({ siteId, deliveryId: deliveryIdOf(delivery), attempt: 0 }, queue);
    if (deliveries.length > 0) await forgetOldDeliveries(siteId, table);
  }
}

/** Returns undefined if the site has been deleted. */
async function dataOf({ type, siteId, subjectId }: SiteEvent, table: Table): Promise<object | undefined> {
  if (type !== 'review.created') {
    const job = await readJob(subjectId, table);
    return job && jobView(job);
  }
  const review = await table.get<Review>(reviewKey(siteId, subjectId));
  if (!review) return undefined;
  const { reviewId, jobId, urlCount, share, createdAt } = review;
  return { siteId, reviewId, jobId, urlCount, share, createdAt };
}
