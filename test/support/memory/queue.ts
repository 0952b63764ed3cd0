import type { Queue, QueueMessage, ReceivedMessage } from '../../../lambdas/domain/ports/queue.ts';
import { checkMessage, checkReceive, checkRelease } from '../../../lambdas/domain/ports/rules/queue-limits.ts';
import { type QueueDefinition, queues } from '../../../lambdas/messages.ts';

type Message = {
  readonly body: string;
  readonly group: string | undefined;
  visibleAt: number;
  receives: number;
  receipt: string;
};

/** In milliseconds. */
type Time = { readonly now: number; in(delayMs: number, run: () => void): void };

const systemTime: Time = {
  get now() {
    return Date.now();
  },
  in: (delayMs, run) => void setTimeout(run, delayMs).unref(),
};

/** The ways in which a queue may do less than usual, though not less than it promises. */
type QueueFaults = {
  /** A message may be delivered again early. */
  visibilityMs(promised: number): number;
  losesAcknowledgement(): boolean;
};

const noFaults: QueueFaults = { visibilityMs: (promised) => promised, losesAcknowledgement: () => false };

const KEPT: ReadonlySet<string> = new Set(['clean-up-dead', 'webhooks-dead', 'site-health']);
const DEDUPLICATION_MS = 5 * 60_000;

const definitions: ReadonlyMap<string, QueueDefinition> = new Map(Object.entries(queues));

/** The messages of all queues in memory, in the order of sending. Changes take effect at once. */
export class QueueState {
  readonly #time: Time;
  readonly #faults: QueueFaults;
  readonly #messages = new Map<string, Message[]>();
  readonly #sent = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();
  #receipts = 0;

  constructor(time = systemTime, faults = noFaults) {
    this.#time = time;
    this.#faults = faults;
  }

  /** Tells whether no message waits or is in flight, except dead letters without a worker. */
  get isEmpty(): boolean {
    return [...this.#messages].every(([name, messages]) => messages.length === 0 || KEPT.has(name));
  }

  send(name: string, message: QueueMessage): void {
    const { now } = this.#time;
    const isFifo = 'group' in message;
    checkMessage(name, definitionOf(name).fifo, message);
    if (isFifo) {
      const id = `${name} ${message.deduplicationId}`;
      if (now - (this.#sent.get(id) ?? Number.NEGATIVE_INFINITY) < DEDUPLICATION_MS) return;
      this.#sent.set(id, now);
    }
    const delayMs = isFifo ? 0 : (message.delaySeconds ?? 0) * 1000;
    const group = isFifo ? message.group : undefined;
    this.#of(name).push({ body: message.body, group, visibleAt: now + delayMs, receives: 0, receipt: '' });
    this.#wakeIn(name, delayMs);
  }

  /** The next message, which is now in flight. */
  receive(name: string): ReceivedMessage | undefined {
    const definition = definitionOf(name);
    this.#buryDead(name, definition);
    const { now } = this.#time;
    const messages = this.#of(name);
    const message = messages.find((one) => one.visibleAt <= now && !messages.some((other) => blocks(other, one, now)));
    if (!message) return undefined;
    message.receives++;
    message.receipt = String(++this.#receipts);
    const outMs = this.#faults.visibilityMs(definition.visibilitySeconds * 1000);
    message.visibleAt = now + outMs;
    this.#wakeIn(name, outMs);
    return { body: message.body, receipt: message.receipt, receiveCount: message.receives };
  }

  acknowledge(name: string, receipt: string): void {
    const messages = this.#of(name);
    const index = messages.findIndex((message) => message.receipt === receipt);
    if (index < 0 || this.#faults.losesAcknowledgement()) return;
    messages.splice(index, 1);
    this.#wakeIn(name, 0);
  }

  release(name: string, receipt: string, delaySeconds: number): void {
    checkRelease(delaySeconds);
    const message = this.#of(name).find((one) => one.receipt === receipt);
    if (!message) return;
    message.visibleAt = this.#time.now + delaySeconds * 1000;
    message.receipt = '';
    this.#wakeIn(name, delaySeconds * 1000);
  }

  /** Makes messages in flight visible, as at a start, when every worker that had one is dead. */
  reviveInFlight(): void {
    for (const [name, messages] of this.#messages) {
      for (const message of messages.filter(({ receipt }) => receipt !== '')) {
        message.visibleAt = this.#time.now;
        message.receipt = '';
      }
      this.#wakeIn(name, 0);
    }
  }

  /** Calls back once when there may be a new message. */
  onChange(name: string, notify: () => void): void {
    this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), notify]);
  }

  #wakeIn(name: string, delayMs: number): void {
    this.#time.in(delayMs, () => {
      const waiting = this.#waiting.get(name) ?? [];
      this.#waiting.set(name, []);
      for (const notify of waiting) notify();
    });
  }

  #buryDead(name: string, { maxReceives, deadLetters }: QueueDefinition): void {
    const { now } = this.#time;
    if (deadLetters === undefined) return;
    const messages = this.#of(name);
    for (const dead of messages.filter((one) => one.visibleAt <= now && one.receives >= maxReceives)) {
      messages.splice(messages.indexOf(dead), 1);
      this.#of(deadLetters).push({ ...dead, visibleAt: now, receives: 0, receipt: '' });
      this.#wakeIn(deadLetters, 0);
    }
  }

  #of(name: string): Message[] {
    const messages = this.#messages.get(name) ?? [];
    this.#messages.set(name, messages);
    return messages;
  }
}

/** `Queue` in memory. */
export function memoryQueue(state = new QueueState()): Queue {
  return {
    send: async (name, message) => state.send(name, message),
    async receive(name, { max, waitSeconds }) {
      checkReceive(max, waitSeconds);
      const until = performance.now() + waitSeconds * 1000;
      for (;;) {
        const messages: ReceivedMessage[] = [];
        for (let next = state.receive(name); next; next = messages.length < max ? state.receive(name) : undefined)
          messages.push(next);
        const left = until - performance.now();
        if (messages.length > 0 || left <= 0) return messages;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left);
          state.onChange(name, () => {
            clearTimeout(timer);
            resolve();
          });
        });
      }
    },
    acknowledge: async (name, receipt) => state.acknowledge(name, receipt),
    release: async (name, receipt, delaySeconds) => state.release(name, receipt, delaySeconds),
  };
}

/** A group waits while one of its messages is in flight or was returned. */
const blocks = (other: Message, message: Message, now: number): boolean =>
  message.group !== undefined && other !== message && other.group === message.group && other.visibleAt > now;

function definitionOf(name: string): QueueDefinition {
  const definition = definitions.get(name);
  if (!definition) throw new RangeError(`messages.ts has no queue ${name}`);
  return definition;
}
