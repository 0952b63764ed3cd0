import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { webhookSender } from '../connectors/webhook-sender.ts';
import { attemptDelivery } from '../domain/webhooks/deliver.ts';
import { fanOutEvents } from '../domain/webhooks/fan-out.ts';
import { env } from '../env.ts';
import { queues } from '../messages.ts';
import { clock } from '../runtime/system.ts';
import { worker } from '../runtime/worker.ts';

const sender = webhookSender({ allowHosts: env.WEBHOOK_ALLOW_HOSTS });

export const handler = worker(queues.webhooks, (work) =>
  'deliveryId' in work
    ? attemptDelivery(work, { table, queue, sender, clock })
    : fanOutEvents(work.siteId, { table, queue }),
);
