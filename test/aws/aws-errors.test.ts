import { afterEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '../../lambdas/domain/errors.ts';
import type { Table } from '../../lambdas/domain/ports/table.ts';
import { setAwsEnvironment } from '../engines/aws-environment.ts';
import {
  type Answer,
  answer,
  broken,
  type ScriptedServer,
  scriptedServer,
  silence,
} from '../support/scripted-server.ts';

setAwsEnvironment({});
const { dynamoTable } = await import('../../lambdas/aws/dynamodb/dynamo-table.ts');
const { s3PageStore } = await import('../../lambdas/aws/s3/s3-page-store.ts');
const { sqsQueue } = await import('../../lambdas/aws/sqs/sqs-queue.ts');

const key = { pk: 'a', sk: 'b' };
const limitMs = 300;
const address = { siteId: 's', generation: 1, urlHash: 'u', revision: 1 };
const errorAnswer = (type: string, more: object = {}) =>
  answer(400, { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'reason', ...more });
const cancelled = (...codes: readonly string[]) =>
  errorAnswer('TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) });

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

async function tableOn(...answers: readonly [Answer, ...Answer[]]) {
  server = await scriptedServer(...answers);
  return { table: dynamoTable('table', { url: server.url }), requests: server.requests };
}

describe('adapters whose engine', () => {
  const calls: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
    'Table.get': (url) => dynamoTable('table', { url, limitMs }).get(key),
    'Table.getMany': (url) => dynamoTable('table', { url, limitMs }).getMany([key]),
    'Table.query': (url) => dynamoTable('table', { url, limitMs }).query('a', { limit: 1 }),
    'Table.update': (url) => dynamoTable('table', { url, limitMs }).update(key, { add: { n: 1 } }),
    'Table.write': (url) => dynamoTable('table', { url, limitMs }).write([{ put: key }]),
    'Table.putMany': (url) => dynamoTable('table', { url, limitMs }).putMany([key]),
    'Table.removeMany': (url) => dynamoTable('table', { url, limitMs }).removeMany([key]),
    'Table.count': (url) => dynamoTable('table', { url, limitMs }).count(key, { by: 1, expiresAt: 1 }),
    'Queue.send': (url) => sqsQueue(`${url}/1/`, { limitMs }).send('clean-up', { body: 'x' }),
    'Queue.receive': (url) => sqsQueue(`${url}/1/`, { limitMs }).receive('clean-up', { max: 1, waitSeconds: 0 }),
    'Queue.acknowledge': (url) => sqsQueue(`${url}/1/`, { limitMs }).acknowledge('clean-up', 'receipt'),
    'Queue.release': (url) => sqsQueue(`${url}/1/`, { limitMs }).release('clean-up', 'receipt', 0),
    'PageStore.get': (url) => s3PageStore('bucket', { url, limitMs }).get([address]),
    'PageStore.remove': (url) => s3PageStore('bucket', { url, limitMs }).remove([address]),
    'PageStore.removeBelow': (url) => s3PageStore('bucket', { url, limitMs }).removeBelow('s', 2, 10),
  };
  const engines: Readonly<Record<string, Answer>> = {
    'never answers': silence,
    'breaks every connection': broken,
    'answers 503': answer(503, { __type: 'ServiceUnavailable', message: 'reason' }),
    'stops in the middle of its answer': (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 100 }).write('{');
    },
  };

  for (const [what, engine] of Object.entries(engines)) {
    it(`${what} throw UnavailableError in time`, async () => {
      server = await scriptedServer(engine);
      const { url } = server;
      const start = performance.now();
      const failures = Object.values(calls).map((call) => call(url).catch((error: unknown) => error));
      for (const failure of await Promise.all(failures)) expect(failure).toBeInstanceOf(UnavailableError);
      expect(performance.now() - start).toBeLessThan(10 * limitMs);
    });
  }

  it('adapters whose engine is not running throw UnavailableError', async () => {
    const { url, close } = await scriptedServer(silence);
    await close();
    await expect(dynamoTable('table', { url, limitMs }).get(key)).rejects.toThrow(UnavailableError);
  });
});

describe('a table', () => {
  it('repeats a request that its engine throttles', async () => {
    const { table, requests } = await tableOn(
      errorAnswer('ThrottlingException'),
      errorAnswer('ProvisionedThroughputExceededException'),
      answer(200, { Attributes: { n: { N: '1' } } }),
    );
    expect(await table.update(key, { add: { n: 1 } })).toEqual({ ...key, n: 1 });
    expect(requests).toHaveLength(3);
  });

  it('throws an error with its cause for a request that the engine rejects, and does not repeat it', async () => {
    const { table, requests } = await tableOn(errorAnswer('ValidationException'));
    const error = await table.get(key).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'Error', cause: { name: 'ValidationException' } });
    expect(requests).toHaveLength(1);
  });

  const repeatable: Readonly<Record<string, readonly [boolean, (table: Table) => Promise<unknown>]>> = {
    'a read': [true, (table) => table.get(key)],
    'a write': [true, (table) => table.write([{ put: key }])],
    'an update that sets': [true, (table) => table.update(key, { set: { n: 1 } })],
    'an update that adds': [false, (table) => table.update(key, { add: { n: 1 } })],
    'an update with a condition': [false, (table) => table.update(key, { set: { n: 1 }, when: { exists: true } })],
  };
  for (const [what, [isRepeated, act]] of Object.entries(repeatable)) {
    it(`${isRepeated ? 'repeats' : 'does not repeat'} ${what} whose answer is lost`, async () => {
      const { table, requests } = await tableOn(broken, answer(200, {}));
      const outcome = act(table);
      if (isRepeated) await outcome;
      else await expect(outcome).rejects.toThrow(UnavailableError);
      expect(requests).toHaveLength(isRepeated ? 2 : 1);
    });
  }

  it('repeats a write with the same token if its answer is lost', async () => {
    const { table, requests } = await tableOn(broken, answer(500, {}), answer(200, {}));
    await table.write([{ put: key }]);
    const tokens = requests.map(({ body }) => JSON.parse(body).ClientRequestToken);
    expect(tokens).toEqual([expect.any(String), tokens[0], tokens[0]]);
  });

  it('repeats a write with a new token after a conflict with another write', async () => {
    const { table, requests } = await tableOn(
      cancelled('ConditionalCheckFailed', 'TransactionConflict'),
      answer(200, {}),
    );
    expect(await table.write([{ put: key }, { remove: { pk: 'a', sk: 'c' } }])).toEqual([]);
    const [first, second] = requests.map(({ body }) => JSON.parse(body).ClientRequestToken);
    expect(first).not.toBe(second);
  });

  it('throws the reason for an invalid change of a write', async () => {
    const { table } = await tableOn(cancelled('ValidationError'));
    await expect(table.write([{ put: key }])).rejects.toThrow('ValidationError');
  });

  it('repeats the items that the engine left unprocessed', async () => {
    const items = [key, { pk: 'a', sk: 'c' }];
    const put = (sk: string) => ({ PutRequest: { Item: { pk: { S: 'a' }, sk: { S: sk } } } });
    const { table, requests } = await tableOn(
      answer(200, { UnprocessedItems: { table: [put('b'), put('c')] } }),
      answer(200, { UnprocessedItems: { table: [put('c')] } }),
      answer(200, {}),
    );
    await table.putMany(items);
    expect(requests.map(({ body }) => JSON.parse(body).RequestItems.table.length)).toEqual([2, 2, 1]);
  });
});

describe('a queue', () => {
  const staleReceipts: Readonly<Record<string, Answer>> = {
    'is unknown': errorAnswer('ReceiptHandleIsInvalid'),
    'belongs to a message that is not in flight': errorAnswer('MessageNotInflight'),
    'has expired': errorAnswer('InvalidParameterValueException', {
      message: 'Value a for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.',
    }),
  };
  for (const [what, engine] of Object.entries(staleReceipts)) {
    it(`ignores a receipt that ${what}`, async () => {
      server = await scriptedServer(engine);
      const queue = sqsQueue(`${server.url}/1/`);
      await queue.acknowledge('clean-up', 'receipt');
      await queue.release('clean-up', 'receipt', 0);
      expect(server.requests.map(({ action }) => action)).toEqual(['DeleteMessage', 'ChangeMessageVisibility']);
    });
  }

  it('throws an error if it does not exist', async () => {
    server = await scriptedServer(errorAnswer('QueueDoesNotExist'));
    await expect(sqsQueue(`${server.url}/1/`).acknowledge('clean-up', 'receipt')).rejects.toThrow('SQS rejected');
  });
});

describe('a page store', () => {
  it('repeats a removal that left some pages', async () => {
    const xml: (body: string) => Answer = (body) => (response) =>
      response.writeHead(200, { 'Content-Type': 'application/xml' }).end(`<DeleteResult>${body}</DeleteResult>`);
    const error = '<Error><Key>k</Key><Code>InternalError</Code><Message>reason</Message></Error>';
    server = await scriptedServer(xml(error), xml(''));
    await s3PageStore('bucket', { url: server.url }).remove([address]);
    expect(server.requests).toHaveLength(2);
  });
});
