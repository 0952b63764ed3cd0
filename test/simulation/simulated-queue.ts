import type { Queue } from '../../lambdas/domain/ports/queue.ts';
import type { QueueState } from '../support/memory/queue.ts';
import type { Faults } from './faults.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** The queues as a process sees them. */
export function simulatedQueue(process: SimulatedProcess, state: QueueState, faults: Faults): Queue {
  return {
    send: (name, message) => process.call('queue', `send ${message.body}`, () => state.send(name, message)),
    async receive(name, { waitSeconds }) {
      /** The message is in flight even if the answer is lost. */
      const take = (share: number) => {
        const message = state.receive(name);
        if (message && share !== 1) faults.failures++;
        return message;
      };
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
