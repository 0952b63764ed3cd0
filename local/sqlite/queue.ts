import { EventEmitter } from 'node:events';
import { BroadcastChannel } from 'node:worker_threads';
import type { Queue } from '../../lambdas/domain/ports/queue.ts';
import { checkMessage, checkReceive, checkRelease } from '../../lambdas/domain/ports/rules/queue-limits.ts';
import { type QueueDefinition, type QueueName, queues } from '../../lambdas/messages.ts';
import { store, storeIsOpen } from '../threads/store.ts';

/** The delay until a receiver sees a message that another process has sent, or whose visibility timeout has passed. */
const POLL_MS = 250;

/** Tells the receivers of all threads that a message of a queue may have become visible. */
const channel = new BroadcastChannel('queues');
channel.unref();
const changes = new EventEmitter().setMaxListeners(0);
channel.onmessage = ({ data: queue }) => changes.emit(queue);

function announce(queue: string): void {
  changes.emit(queue);
  channel.postMessage(queue);
}

/** Waits for the next change of a queue, at most `ms`. */
async function nextChange(queue: string, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  changes.once(queue, resolve);
  await promise;
  clearTimeout(timer);
  changes.off(queue, resolve);
}

const definitions: ReadonlyMap<string, QueueDefinition> = new Map(Object.entries(queues));

export const queue: Queue = {
  async send(name, message) {
    checkMessage(name, definitionOf(name).fifo, message);
    await store().write.queue.send(name, message);
    announce(name);
  },

  async receive(name, { max, waitSeconds }) {
    const { visibilitySeconds, maxReceives, deadLetters } = definitionOf(name);
    checkReceive(max, waitSeconds);
    const rules = { visibilitySeconds, maxReceives, deadLetters };
    const until = performance.now() + waitSeconds * 1000;
    while (true) {
      const left = Math.max(0, until - performance.now());
      const change = nextChange(name, Math.min(left, POLL_MS)); // before the look, so that no change is missed
      const isEmpty = store().read.queue.isEmpty(name);
      const messages = isEmpty ? [] : await store().write.queue.receive(name, max, rules);
      if (messages.length > 0 || left === 0) return messages;
      await change;
      if (!storeIsOpen()) return [];
    }
  },

  async acknowledge(name, receipt) {
    definitionOf(name);
    await store().write.queue.acknowledge(name, receipt);
    announce(name); // the next message of its group is due
  },

  async release(name, receipt, delaySeconds) {
    definitionOf(name);
    checkRelease(delaySeconds);
    await store().write.queue.release(name, receipt, delaySeconds);
    announce(name);
  },
};

/**
 * The queues of crawl slices. Their workers identify the page that killed them, and count how often
 * (domain/crawl/poison-urls.ts).
 */
const SLICES: readonly QueueName[] = ['crawl', 'render'];

/**
 * Makes the messages in flight visible at a start, when no receiver is alive. Returns their number. Slices count as not
 * received, so that a crawl does not fail because its process died of something else.
 */
export async function releaseInFlight(): Promise<number> {
  return store().write.queue.releaseInFlight(SLICES);
}

function definitionOf(name: string): QueueDefinition {
  const definition = definitions.get(name);
  if (definition === undefined) throw new RangeError(`messages.ts has no queue ${name}`);
  return definition;
}
