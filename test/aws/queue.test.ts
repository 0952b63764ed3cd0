import { openQueues } from '../../engines/open-queues.ts';
import { queueContract } from '../queue.contract.ts';

queueContract('SQS', async () => {
  const { close } = await openQueues();
  const { queue } = await import('../../../lambdas/adapters/aws/queue.ts');
  return { queue, close };
});
