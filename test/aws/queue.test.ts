import { queueContract } from '../contracts/queue.contract.ts';
import { openQueues } from '../engines/open-queues.ts';

queueContract('SQS', async () => {
  const { close } = await openQueues();
  const { queue } = await import('../../lambdas/aws/queue.ts');
  return { queue, close };
});
