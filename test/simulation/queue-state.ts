import type { QueueMessage, ReceivedMessage } from '../../lambdas/core/ports/queue.ts';
import { type QueueDefinition, queues } from '../../lambdas/messages.ts';
import type { Faults } from './faults.ts';
import type { Scheduler } from './scheduler.ts';

type Message = {
  readonly body: string;
  readonly group: string | undefined;
  visibleAt: number;
  receives: number;
  receipt: string;
};

const DEDUPLICATION_MS = 5 * 60_000;

const definitions: ReadonlyMap<string, QueueDefinition> = new Map(Object.entries(queues));

/** The messages of all simulated queues, in the order of sending, changed without any delay. */
export class QueueState {
  readonly #scheduler: Scheduler;
  readonly #faults: Faults;
  readonly #messages = new Map<string, Message[]>();
  readonly #sent = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();
  #receipts = 0;

  constructor(scheduler: Scheduler, faults: Faults) {
    this.#scheduler = scheduler;
    this.#faults = faults;
  }

  /** Whether no message waits or is out, but for those that are kept for a person. */
  get isEmpty(): boolean {
    return [...this.#messages].every(([name, messages]) => messages.length === 0 || name === 'clean-up-dead');
  }

  send(name: string, message: QueueMessage): void {
    const { now } = this.#scheduler;
    const isFifo = 'group' in message;
    if (isFifo !== definitionOf(name).fifo) throw new RangeError(`${name}: a group where none belongs, or none`);
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

  /** The first message that may be had. One that is out may come a second time before its time. What is not answered is out all the same. */
  receive(name: string, isAnswered: boolean): ReceivedMessage | undefined {
    const definition = definitionOf(name);
    this.#buryDead(name, definition);
    const { now } = this.#scheduler;
    const messages = this.#of(name);
    const message = messages.find((one) => one.visibleAt <= now && !messages.some((other) => blocks(other, one, now)));
    if (!message) return undefined;
    message.receives++;
    if (!isAnswered) this.#faults.failures++;
    message.receipt = String(++this.#receipts);
    const outMs = this.#faults.visibilityMs(definition.visibilitySeconds * 1000);
    message.visibleAt = now + outMs;
    this.#wakeIn(name, outMs);
    return { body: message.body, receipt: message.receipt, receiveCount: message.receives };
  }

  acknowledge(name: string, receipt: string): void {
    const messages = this.#of(name);
    const place = messages.findIndex((message) => message.receipt === receipt);
    if (place < 0 || this.#faults.losesAcknowledgement()) return;
    messages.splice(place, 1);
    this.#wakeIn(name, 0);
  }

  release(name: string, receipt: string, delaySeconds: number): void {
    const message = this.#of(name).find((one) => one.receipt === receipt);
    if (!message) return;
    message.visibleAt = this.#scheduler.now + delaySeconds * 1000;
    message.receipt = '';
    this.#wakeIn(name, delaySeconds * 1000);
  }

  /** What is out becomes visible at once, as at a start when all that had it are dead. */
  reviveInFlight(): void {
    for (const [name, messages] of this.#messages) {
      for (const message of messages.filter(({ receipt }) => receipt !== '')) {
        message.visibleAt = this.#scheduler.now;
        message.receipt = '';
      }
      this.#wakeIn(name, 0);
    }
  }

  /** Calls once when there may be something new. */
  onChange(name: string, notify: () => void): void {
    this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), notify]);
  }

  #wakeIn(name: string, delayMs: number): void {
    this.#scheduler.in(delayMs, () => {
      const waiting = this.#waiting.get(name) ?? [];
      this.#waiting.set(name, []);
      for (const notify of waiting) notify();
    });
  }

  #buryDead(name: string, { maxReceives, deadLetters }: QueueDefinition): void {
    const { now } = this.#scheduler;
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

/** The rest of a group waits while one of it is out, and for one that was given back. */
const blocks = (other: Message, message: Message, now: number): boolean =>
  message.group !== undefined && other !== message && other.group === message.group && other.visibleAt > now;

function definitionOf(name: string): QueueDefinition {
  const definition = definitions.get(name);
  if (!definition) throw new RangeError(`messages.ts has no queue ${name}`);
  return definition;
}
