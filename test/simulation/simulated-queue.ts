import type { Queue } from '../../lambdas/domain/ports/queue.ts';
import type { QueueState } from './queue-state.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** The queues as a process sees them. */
export function simulatedQueue(process: SimulatedProcess, state: QueueState): Queue {
  return {
    send: (name, message) => process.call('queue', `send ${message.body}`, () => state.send(name, message)),
    async receive(name, { waitSeconds }) {
      const take = (share: number) => state.receive(name, share === 1);
      const first = await process.call('queue', 'receive', take);
      if (first) return [first];
      await new Promise<void>((resolve) => {
        state.onChange(name, () => process.deliver(0, resolve));
        process.deliver(waitSeconds * 1000, resolve);
      });
      const second = await process.call('queue', 'receive', take);
      return second ? [second] : [];
    },
    acknowledge: (name, receipt) => process.call('queue', 'acknowledge', () => state.acknowledge(name, receipt)),
    release: (name, receipt, delaySeconds) =>
      process.call('queue', 'release', () => state.release(name, receipt, delaySeconds)),
  };
}
