import type { Queue } from '../../core/ports/queue.ts';
import { type QueueDefinition, queues } from '../../messages.ts';
import { checkMessage, checkReceive, checkRelease } from '../port-rules/queue-limits.ts';
import { engine, engineIsOpen } from './engine.ts';
import { Sleeper } from './notifier.ts';

/** How soon a receiver sees what another process has sent, and what has become visible with time. */
const POLL_MS = 250;

const definitions: ReadonlyMap<string, QueueDefinition> = new Map(Object.entries(queues));

export const queue: Queue = {
  async send(name, message) {
    const { fifo } = definitionOf(name);
    checkMessage(name, fifo, message);
    const { body } = message;
    await engine().call.queue.send(
      'group' in message
        ? { queue: name, body, delaySeconds: 0, fifo: message }
        : { queue: name, body, delaySeconds: message.delaySeconds ?? 0 },
    );
  },

  /** A receiver that still waits when the engine closes answers none. */
  async receive(name, { max, waitSeconds }) {
    const { visibilitySeconds, maxReceives, deadLetters } = definitionOf(name);
    checkReceive(max, waitSeconds);
    const order = { queue: name, max, visibilitySeconds, maxReceives, deadLetters };
    const until = performance.now() + waitSeconds * 1000;
    const sleeper = new Sleeper(name);
    try {
      while (true) {
        const deliveries = await engine().call.queue.receive(order);
        const left = until - performance.now();
        if (deliveries.length > 0 || left <= 0) return deliveries;
        await sleeper.sleep(Math.min(left, POLL_MS));
        if (!engineIsOpen()) return [];
      }
    } finally {
      sleeper.leave();
    }
  },

  async acknowledge(name, receipt) {
    definitionOf(name);
    await engine().call.queue.acknowledge(name, receipt);
  },

  async release(name, receipt, delaySeconds) {
    definitionOf(name);
    checkRelease(delaySeconds);
    await engine().call.queue.release(name, receipt, delaySeconds);
  },
};

/**
 * Makes the messages in flight visible at once and answers how many: for a start, when those who had them are dead.
 * Their receives stay counted; their receipts are worthless.
 */
export async function reviveInFlight(): Promise<number> {
  return engine().call.queue.reviveInFlight();
}

/** Throws for a name that is misspelt. */
function definitionOf(name: string): QueueDefinition {
  const definition = definitions.get(name);
  if (definition === undefined) throw new RangeError(`messages.ts has no queue ${name}`);
  return definition;
}
