import { type CrawlJob, hasEnded, isSweep } from '../../lambdas/domain/crawl/jobs/job.ts';
import type { WebhookSender } from '../../lambdas/domain/ports/webhook-sender.ts';
import { stateKey } from '../../lambdas/domain/sites/site.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { Simulation } from './simulation.ts';

export type SentMessage = { readonly id: string; readonly type: string };

/** A receiver that sometimes answers 503. What it has answered 200 is in `received`. */
export function simulatedReceiver(process: SimulatedProcess, { received, random }: Simulation): WebhookSender {
  return {
    async send({ headers, body }) {
      await process.sleep(random.int(1, 500));
      if (random.chance(0.2)) return { kind: 'answer', status: 503 };
      received.push({ id: headers['webhook-id'] ?? '', type: String(JSON.parse(body).type) });
      return { kind: 'answer', status: 200 };
    },
  };
}

/** Each job of an existing site has sent only its end, at least once and always with the same id. */
export function checkEvents(siteId: string, simulation: Simulation): void {
  const { table, received } = simulation;
  const typesOf = (subjectId: string) => [...new Set(received.filter(({ id }) => id === `evt_${subjectId}`))];
  const isDeleted = table.get(stateKey(siteId)) === undefined;
  for (const { sk } of table.under(`SITE#${siteId}`, 'JOB#')) {
    const job = table.get({ pk: sk, sk: 'JOB' }) as unknown as CrawlJob | undefined;
    if (!job || isSweep(job) || !hasEnded(job) || isDeleted) continue;
    const types = new Set(typesOf(job.jobId).map(({ type }) => type));
    if (types.size !== 1 || !types.has(`crawl.${job.status}`))
      simulation.report(`${job.jobId} ended as ${job.status} and sent ${[...types].join() || 'nothing'}`);
  }
  for (const { sk } of table.under(`SITE#${siteId}`, 'REVIEW#')) {
    const reviewId = sk.slice('REVIEW#'.length);
    if (!isDeleted && typesOf(reviewId).every(({ type }) => type !== 'review.created'))
      simulation.report(`the review ${reviewId} was not announced`);
  }
}
