import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Queue, ReceivedMessage } from '../../lambdas/domain/ports/queue.ts';
import { type QueueName, queues } from '../../lambdas/messages.ts';

type Opened = { readonly queue: Queue; close(): Promise<void> };

const PLAIN = 'clean-up' satisfies QueueName;
const FIFO = 'crawl' satisfies QueueName;
const FIFO_DEAD = queues[FIFO].deadLetters;

/**
 * The promises of `Queue`, on the queues of `messages.ts`. Messages of earlier runs are acknowledged; nobody else may
 * use the queues at the same time.
 */
export function queueContract(name: string, open: () => Promise<Opened>): void {
  describe(`Queue on ${name}`, () => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    const actor = () => new Actor(opened.queue);

    anyQueue(actor);
    fifoQueue(actor);
    failures(actor);
    deadLetters(actor);
    limits(() => opened.queue);
  });
}

/** Sends and receives the messages of one test; a prefix of the body tells them from others. */
class Actor {
  readonly queue: Queue;
  readonly #prefix = randomUUID();

  constructor(queue: Queue) {
    this.queue = queue;
  }

  send(text: string, delaySeconds?: number): Promise<void> {
    return this.queue.send(PLAIN, {
      body: this.#prefix + text,
      ...(delaySeconds === undefined ? {} : { delaySeconds }),
    });
  }

  sendTo(group: string, text: string, deduplicationId: string = randomUUID()): Promise<void> {
    return this.queue.send(FIFO, { body: this.#prefix + text, group: this.#prefix + group, deduplicationId });
  }

  /** The next deliveries of this test's messages, without the prefix; none after `waitSeconds`. */
  async take(name: QueueName, { max = 1, waitSeconds = 10 } = {}): Promise<readonly ReceivedMessage[]> {
    const end = performance.now() + waitSeconds * 1000;
    while (true) {
      const remaining = Math.max(0, end - performance.now()) / 1000;
      const deliveries = await this.queue.receive(name, { max, waitSeconds: Math.min(20, Math.ceil(remaining)) });
      const mine = deliveries.filter(({ body }) => body.startsWith(this.#prefix));
      for (const other of deliveries) if (!mine.includes(other)) await this.queue.acknowledge(name, other.receipt);
      if (mine.length > 0)
        return mine.map((delivery) => ({ ...delivery, body: delivery.body.slice(this.#prefix.length) }));
      if (deliveries.length === 0 && performance.now() >= end) return [];
    }
  }

  async takeOne(name: QueueName): Promise<ReceivedMessage> {
    const [delivery] = await this.take(name);
    if (delivery === undefined) throw new Error(`No message came from the queue ${name}`);
    return delivery;
  }

  /** Receives and acknowledges `count` messages. Answers their texts in order of arrival. */
  async work(name: QueueName, count: number): Promise<readonly string[]> {
    const texts: string[] = [];
    while (texts.length < count) {
      const { body, receipt } = await this.takeOne(name);
      await this.queue.acknowledge(name, receipt);
      texts.push(body);
    }
    return texts;
  }

  async expectNothing(name: QueueName): Promise<void> {
    expect(await this.take(name, { waitSeconds: 0 })).toEqual([]);
  }
}

type NewActor = () => Actor;

function anyQueue(actor: NewActor): void {
  it('delivers a message as it was sent, with a receive count of 1', async () => {
    const one = actor();
    const text = `{"it's": "quoted \\" 東京 👍"}\n`;
    await one.send(text);
    const delivery = await one.takeOne(PLAIN);
    expect(delivery).toEqual({ body: text, receipt: expect.stringMatching(/./), receiveCount: 1 });
    await one.queue.acknowledge(PLAIN, delivery.receipt);
  });

  it('accepts a body of 256 kB', async () => {
    const one = actor();
    const text = 'x'.repeat(262_144 - 36);
    await one.send(text);
    expect(await one.work(PLAIN, 1)).toEqual([text]);
  });

  it('does not deliver an acknowledged message again', async () => {
    const one = actor();
    await one.send('a');
    await one.work(PLAIN, 1);
    await one.expectNothing(PLAIN);
  });

  it('does not deliver a message in flight to a second receiver', async () => {
    const one = actor();
    await one.send('a');
    const { receipt } = await one.takeOne(PLAIN);
    await one.expectNothing(PLAIN);
    await one.queue.acknowledge(PLAIN, receipt);
  });

  it('delivers at most 10 messages at once, and all of them eventually', async () => {
    const one = actor();
    const texts = Array.from({ length: 25 }, (_, n) => String(n));
    await Promise.all(texts.map((text) => one.send(text)));
    const taken = new Set<string>();
    while (taken.size < texts.length) {
      const deliveries = await one.take(PLAIN, { max: 10 });
      expect(deliveries.length).toBeGreaterThan(0);
      expect(deliveries.length).toBeLessThanOrEqual(10);
      for (const { body, receipt } of deliveries) {
        taken.add(body);
        await one.queue.acknowledge(PLAIN, receipt);
      }
    }
    expect([...taken].toSorted()).toEqual(texts.toSorted());
  });

  it('answers a waiting receiver as soon as a message arrives', async () => {
    const one = actor();
    await one.expectNothing(PLAIN);
    const begun = performance.now();
    const taking = one.take(PLAIN, { waitSeconds: 10 });
    await one.send('a');
    const [delivery] = await taking;
    expect(delivery?.body).toBe('a');
    expect(performance.now() - begun).toBeLessThan(3000);
    await one.queue.acknowledge(PLAIN, delivery?.receipt ?? '');
  });

  it('does not deliver a delayed message early', async () => {
    const one = actor();
    await one.send('later', 1);
    const sent = performance.now();
    await one.send('now');
    expect(await one.work(PLAIN, 2)).toEqual(['now', 'later']);
    expect(performance.now() - sent).toBeGreaterThan(700);
  });

  it('delivers each message to one of many receivers', async () => {
    const one = actor();
    const texts = Array.from({ length: 20 }, (_, n) => String(n));
    const work = Promise.all(texts.map(() => one.work(PLAIN, 1)));
    await Promise.all(texts.map((text) => one.send(text)));
    expect((await work).flat().toSorted()).toEqual(texts.toSorted());
  });
}

function fifoQueue(actor: NewActor): void {
  it('a FIFO queue delivers the messages of a group in the order of sending', async () => {
    const one = actor();
    const texts = Array.from({ length: 12 }, (_, n) => String(n));
    for (const text of texts) await one.sendTo('g', text);
    expect(await one.work(FIFO, texts.length)).toEqual(texts);
  });

  it('a FIFO queue delivers nothing else of a group while one of its messages is in flight', async () => {
    const one = actor();
    await one.sendTo('g', 'first');
    await one.sendTo('g', 'second');
    const { receipt } = await one.takeOne(FIFO);
    await one.expectNothing(FIFO);
    await one.queue.acknowledge(FIFO, receipt);
    expect(await one.work(FIFO, 1)).toEqual(['second']);
  });

  it('a FIFO queue delivers messages of other groups at the same time', async () => {
    const one = actor();
    await one.sendTo('a', 'a1');
    await one.sendTo('a', 'a2');
    await one.sendTo('b', 'b1');
    const [first, second] = [await one.takeOne(FIFO), await one.takeOne(FIFO)];
    expect([first.body, second.body].toSorted()).toEqual(['a1', 'b1']);
    for (const { receipt } of [first, second]) await one.queue.acknowledge(FIFO, receipt);
    expect(await one.work(FIFO, 1)).toEqual(['a2']);
  });

  it('a FIFO queue delivers the next message of a group to a waiting receiver', async () => {
    const one = actor();
    await one.sendTo('g', 'first');
    await one.sendTo('g', 'second');
    const { receipt } = await one.takeOne(FIFO);
    const work = one.work(FIFO, 1);
    await one.queue.acknowledge(FIFO, receipt);
    expect(await work).toEqual(['second']);
  });

  it('a FIFO queue drops further messages with the same deduplication id, even after the first is acknowledged', async () => {
    const one = actor();
    const id = randomUUID();
    await Promise.all([1, 2, 3].map(() => one.sendTo('g', 'kept', id)));
    expect(await one.work(FIFO, 1)).toEqual(['kept']);
    await one.sendTo('g', 'repeated', id);
    await one.expectNothing(FIFO);
  });

  it('a FIFO queue keeps equal messages with different deduplication ids', async () => {
    const one = actor();
    await one.sendTo('g', 'same');
    await one.sendTo('g', 'same');
    expect(await one.work(FIFO, 2)).toEqual(['same', 'same']);
  });
}

function failures(actor: NewActor): void {
  it('a message that fails is delivered again when it is released, with another receipt and a higher count', async () => {
    const one = actor();
    await one.send('a');
    const first = await one.takeOne(PLAIN);
    await one.queue.release(PLAIN, first.receipt, 0);
    const second = await one.takeOne(PLAIN);
    expect([first.receiveCount, second.receiveCount]).toEqual([1, 2]);
    expect(second.receipt).not.toBe(first.receipt);
    await one.queue.acknowledge(PLAIN, second.receipt);
    await one.expectNothing(PLAIN);
  });

  it('a message that fails is delivered again before the rest of its group', async () => {
    const one = actor();
    await one.sendTo('g', 'first');
    await one.sendTo('g', 'second');
    const { receipt } = await one.takeOne(FIFO);
    await one.queue.release(FIFO, receipt, 0);
    expect(await one.work(FIFO, 2)).toEqual(['first', 'second']);
  });

  it('a message that fails is delivered again after the delay of its release, and its group waits with it', async () => {
    const one = actor();
    await one.sendTo('g', 'first');
    await one.sendTo('g', 'second');
    const { receipt } = await one.takeOne(FIFO);
    await one.queue.release(FIFO, receipt, 1);
    const released = performance.now();
    expect(await one.work(FIFO, 2)).toEqual(['first', 'second']);
    expect(performance.now() - released).toBeGreaterThan(700);
  });

  it('a message that fails is not acknowledged by the receipt of an earlier delivery', async () => {
    const one = actor();
    await one.send('a');
    const first = await one.takeOne(PLAIN);
    await one.queue.release(PLAIN, first.receipt, 0);
    const second = await one.takeOne(PLAIN);
    await one.queue.acknowledge(PLAIN, first.receipt);
    await one.queue.release(PLAIN, second.receipt, 0);
    const third = await one.takeOne(PLAIN);
    expect(third.receiveCount).toBe(3);
    await one.queue.acknowledge(PLAIN, third.receipt);
  });

  it('a message that fails may be acknowledged twice', async () => {
    const one = actor();
    await one.send('a');
    const { receipt } = await one.takeOne(PLAIN);
    await one.queue.acknowledge(PLAIN, receipt);
    await one.queue.acknowledge(PLAIN, receipt);
  });
}

function deadLetters(actor: NewActor): void {
  it('dead letters are the messages that used up their deliveries; the rest of their group continues', async () => {
    const one = actor();
    await one.sendTo('g', 'bad');
    await one.sendTo('g', 'good');
    for (let receive = 1; receive <= queues[FIFO].maxReceives; receive++) {
      const { body, receipt, receiveCount } = await one.takeOne(FIFO);
      expect([body, receiveCount]).toEqual(['bad', receive]);
      await one.queue.release(FIFO, receipt, 0);
    }
    expect(await one.work(FIFO, 1)).toEqual(['good']);
    expect(await one.work(FIFO_DEAD, 1)).toEqual(['bad']);
    await one.expectNothing(FIFO);
  });

  it('dead letters keep the order of their group', async () => {
    const one = actor();
    await one.sendTo('g', 'first');
    await one.sendTo('g', 'second');
    for (let receive = 0; receive < 2 * queues[FIFO].maxReceives; receive++) {
      await one.queue.release(FIFO, (await one.takeOne(FIFO)).receipt, 0);
    }
    await one.expectNothing(FIFO);
    expect(await one.work(FIFO_DEAD, 2)).toEqual(['first', 'second']);
  });
}

function limits(queue: () => Queue): void {
  const group = { group: 'g', deduplicationId: 'd' };
  const refused: Record<string, () => Promise<unknown>> = {
    'a body of more than 256 kB': () => queue().send(PLAIN, { body: 'x'.repeat(262_145) }),
    'a body of more bytes than letters': () => queue().send(PLAIN, { body: '東'.repeat(90_000) }),
    'a delay of more than 900 s': () => queue().send(PLAIN, { body: 'x', delaySeconds: 901 }),
    'a FIFO message without a group': () => queue().send(FIFO, { body: 'x' }),
    'a group on another queue': () => queue().send(PLAIN, { body: 'x', ...group }),
    'a receive of none': () => queue().receive(PLAIN, { max: 0, waitSeconds: 0 }),
    'a receive of 11': () => queue().receive(PLAIN, { max: 11, waitSeconds: 0 }),
    'a wait of more than 20 s': () => queue().receive(PLAIN, { max: 1, waitSeconds: 21 }),
    'a queue that is not in messages.ts': () => queue().send('crawls', { body: 'x' }),
  };
  for (const [what, act] of Object.entries(refused)) {
    it(`rejects ${what}`, async () => {
      await expect(act()).rejects.toThrow(RangeError);
    });
  }
}
