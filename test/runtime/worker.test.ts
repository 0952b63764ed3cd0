import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { worker } from '../../lambdas/runtime/worker.ts';

const queue = {
  ...{ summary: 'Numbers', worker: 'number', visibilitySeconds: 1, maxReceives: 1 },
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
  const Records = bodies.map((body, index) => ({ messageId: String(index), body }) as SQSRecord);
  const { batchItemFailures } = await handler({ Records });
  return { ran, failed: batchItemFailures.map(({ itemIdentifier }) => bodies[Number(itemIdentifier)]) };
}

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
});
