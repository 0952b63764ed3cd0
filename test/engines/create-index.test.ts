import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dynamoTable } from '../../lambdas/aws/dynamodb/dynamo-table.ts';
import { openSearchClient } from '../../lambdas/aws/opensearch/client.ts';
import { dropIndex } from '../../lambdas/aws/opensearch/index/drop-index.ts';
import { MAPPING } from '../../lambdas/aws/opensearch/layout.ts';
import { readIndexRegistry } from '../../lambdas/domain/pages/reindexing/index-registry.ts';
import type { Table } from '../../lambdas/domain/ports/table.ts';
import { outputOf, startProcess } from '../support/child-process.ts';
import { engineUrl } from './engine-url.ts';
import { openQueues } from './open-queues.ts';
import { openTable } from './open-table.ts';

const PATIENCE_MS = 60_000;
const PROVIDER = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', EMBEDDING_DIMENSIONS: '8' };

describe('The deployment', () => {
  const reports: unknown[] = [];
  const created = new Set<string>();
  let server: Server;
  let opened: Awaited<ReturnType<typeof openTable>>;
  let queues: Awaited<ReturnType<typeof openQueues>>;
  let table: Table;

  beforeAll(async () => {
    opened = await openTable();
    queues = await openQueues();
    table = dynamoTable(opened.name, { url: opened.url });
    server = createServer(async (request, response) => {
      reports.push(JSON.parse(await text(request)));
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }, PATIENCE_MS);
  afterAll(async () => {
    const client = openSearchClient(engineUrl('opensearch'));
    for (const index of created) await dropIndex(client, index);
    client.close();
    server.close();
    await queues.close();
    await opened.close();
  });

  async function create(
    RequestType: 'Create' | 'Update' | 'Delete',
    environment: Readonly<Record<string, string>> = {},
    { shards = '1', replicas = '0' } = {},
  ) {
    const ResponseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const ids = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Index' };
    const ResourceProperties = { shards, replicas };
    const event = JSON.stringify({ RequestType, ResponseURL, ResourceProperties, ...ids });
    Object.assign(process.env, environment);
    const worker = startProcess('support/run-worker.ts', 'create-index', event);
    for (const name of Object.keys(environment)) delete process.env[name];
    await outputOf(worker);
    expect(reports.pop()).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: 'index' });
    const record = await readIndexRegistry(table);
    if (!record) throw new Error('The registry is empty');
    for (const index of [record.searched, record.secondary]) if (index) created.add(index.index);
    return record;
  }

  const isThere = async (index: string) => (await fetch(`${engineUrl('opensearch')}/${index}`)).status === 200;

  it(
    'creates the index once, starts one reindexing for another model, and can cancel it',
    async () => {
      const first = await create('Create');
      expect(first).toMatchObject({ searched: { layout: MAPPING, dimensions: 384 }, step: 'backfill' });
      expect(await isThere(first.searched.index)).toBe(true);
      expect(await create('Update')).toEqual(first);

      const moving = await create('Update', PROVIDER);
      expect(moving).toMatchObject({ searched: first.searched, step: 'backfill', secondary: { dimensions: 8 } });
      expect(moving.secondary?.provider).toEqual({
        baseUrl: PROVIDER.OPENAI_BASE_URL,
        model: 'text-embedding-3-small',
      });
      expect(await isThere(moving.secondary?.index ?? '')).toBe(true);
      expect(await create('Update', PROVIDER)).toEqual(moving);

      const back = await create('Update');
      expect(back).toMatchObject({ searched: first.searched, step: 'drop', retired: [moving.secondary?.index] });
      expect(await create('Delete')).toEqual(back);
    },
    PATIENCE_MS,
  );

  it(
    'applies another number of copies, and moves to another number of shards',
    async () => {
      const { searched } = await create('Update', {}, { replicas: '1' });
      const settings = async () => (await fetch(`${engineUrl('opensearch')}/${searched.index}/_settings`)).json();
      expect(JSON.stringify(await settings())).toContain('"number_of_replicas":"1"');
      await create('Update');
      expect(JSON.stringify(await settings())).toContain('"number_of_replicas":"0"');
      expect(await create('Update', {}, { shards: '2' })).toMatchObject({
        searched,
        step: 'backfill',
        secondary: { layout: MAPPING, shards: 2 },
      });
    },
    PATIENCE_MS,
  );
});
