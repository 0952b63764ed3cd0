import type { Queue } from '../../core/ports/queue.ts';
import { type QueueDefinition, queues } from '../../messages.ts';
import { checkMessage, checkReceive, checkRelease } from '../port-rules/queue-limits.ts';
import { engine, engineIsOpen } from './engine/current.ts';
import { Listener } from './engine/notifier.ts';

/** The delay until a receiver sees a message that another process has sent, or whose visibility timeout has passed. */
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

  async receive(name, { max, waitSeconds }) {
    const { visibilitySeconds, maxReceives, deadLetters } = definitionOf(name);
    checkReceive(max, waitSeconds);
    const order = { queue: name, max, visibilitySeconds, maxReceives, deadLetters };
    const until = performance.now() + waitSeconds * 1000;
    const listener = new Listener(name);
    try {
      while (true) {
        const messages = await engine().call.queue.receive(order);
        const left = until - performance.now();
        if (messages.length > 0 || left <= 0) return messages;
        await listener.wait(Math.min(left, POLL_MS));
        if (!engineIsOpen()) return [];
      }
    } finally {
      listener.close();
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

/** Makes the messages in flight visible at a start, when no receiver is alive. Returns their number. */
export async function releaseInFlight(): Promise<number> {
  return engine().call.queue.releaseInFlight();
}

function definitionOf(name: string): QueueDefinition {
  const definition = definitions.get(name);
  if (definition === undefined) throw new RangeError(`messages.ts has no queue ${name}`);
  return definition;
}
