import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { UnavailableError } from '../../lambdas/domain/errors.ts';
import { batchWorker, worker } from '../../lambdas/runtime/worker.ts';

const queue = {
  summary: 'Numbers',
  worker: 'number',
  visibilitySeconds: 1,
  maxReceives: 1,
  message: z.object({ n: z.int(), unit: z.string().default('m') }),
};

/** Delivers bodies to a worker that fails for some numbers; answers what it ran and which bodies it reported. */
async function deliver(
  bodies: readonly string[],
  { fifo, failing = [] }: { readonly fifo: boolean; readonly failing?: readonly number[] },
) {
  const ran: unknown[] = [];
  const handler = worker({ ...queue, fifo }, async (message) => {
    ran.push(message);
    if (failing.includes(message.n)) throw new Error('the message fails');
  });
  const { batchItemFailures } = await handler({ Records: recordsOf(bodies) });
  return { ran, failed: batchItemFailures.map(({ itemIdentifier }) => bodies[Number(itemIdentifier)]) };
}

const recordsOf = (bodies: readonly string[]): SQSRecord[] =>
  bodies.map((body, index) => ({ messageId: String(index), body }) as SQSRecord);

const messages = ['{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}'];
const numbersIn = (ran: readonly unknown[]) => ran.map((message) => (message as { readonly n: number }).n);

describe('a worker', () => {
  const { write } = process.stderr;
  let logged: string[];

  beforeEach(() => {
    logged = [];
    process.stderr.write = (line) => logged.push(String(line)) > 0;
  });
  afterEach(() => {
    process.stderr.write = write;
  });

  it('runs every message of a batch, parsed by the schema of its queue', async () => {
    const { ran, failed } = await deliver(['{"n":1}', '{"n":2,"unit":"km","more":true}'], { fifo: false });
    expect(ran).toEqual([
      { n: 1, unit: 'm' },
      { n: 2, unit: 'km' },
    ]);
    expect(failed).toEqual([]);
  });

  it('reports only failed messages, so that no other is delivered again', async () => {
    const { ran, failed } = await deliver(messages, { fifo: false, failing: [1, 3] });
    expect(numbersIn(ran)).toEqual([1, 2, 3, 4]);
    expect(failed).toEqual(['{"n":1}', '{"n":3}']);
  });

  it.each(['', '{', 'null', '{"n":"1"}', '{}'])('reports the message %j without running it', async (body) => {
    const { ran, failed } = await deliver([body, '{"n":1}'], { fifo: false });
    expect(numbersIn(ran)).toEqual([1]);
    expect(failed).toEqual([body]);
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error', worker: 'number' }]);
  });

  it('keeps the order of a FIFO queue: after a failure it runs none and reports the rest', async () => {
    const { ran, failed } = await deliver(messages, { fifo: true, failing: [2, 4] });
    expect(numbersIn(ran)).toEqual([1, 2]);
    expect(failed).toEqual(['{"n":2}', '{"n":3}', '{"n":4}']);
  });

  it('keeps the order of a FIFO queue after a message that cannot be parsed', async () => {
    const { ran, failed } = await deliver(['{', '{"n":1}'], { fifo: true });
    expect(ran).toEqual([]);
    expect(failed).toEqual(['{', '{"n":1}']);
  });

  describe('of batches', () => {
    /** Which messages each call got, and which were reported. */
    async function deliverAtOnce(
      bodies: readonly string[],
      failure: (numbers: readonly number[]) => Error | undefined,
    ) {
      const calls: (readonly number[])[] = [];
      const handler = batchWorker({ ...queue, fifo: false }, async (messages) => {
        const numbers = messages.map(({ n }) => n);
        calls.push(numbers);
        const error = failure(numbers);
        if (error) throw error;
      });
      const { batchItemFailures } = await handler({ Records: recordsOf(bodies) });
      return { calls, failed: batchItemFailures.map(({ itemIdentifier }) => bodies[Number(itemIdentifier)]) };
    }

    it('runs all messages by one call', async () => {
      expect(await deliverAtOnce(messages, () => undefined)).toEqual({ calls: [[1, 2, 3, 4]], failed: [] });
    });

    it('runs each message alone if one is at fault, and reports that one', async () => {
      const failure = (numbers: readonly number[]) => (numbers.includes(3) ? new Error('3 is at fault') : undefined);
      const { calls, failed } = await deliverAtOnce(messages, failure);
      expect(calls).toEqual([[1, 2, 3, 4], [1], [2], [3], [4]]);
      expect(failed).toEqual(['{"n":3}']);
      expect((await deliverAtOnce(['{', '{"n":1}'], failure)).failed).toEqual(['{']);
    });

    it('reports all messages after one call if a service is unavailable', async () => {
      const { calls, failed } = await deliverAtOnce(messages, () => new UnavailableError('away'));
      expect(calls).toHaveLength(1);
      expect(failed).toEqual(messages);
    });
  });
});
