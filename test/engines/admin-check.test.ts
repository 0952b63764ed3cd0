import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dynamoTable } from '../../lambdas/aws/dynamodb/dynamo-table.ts';
import { openSearchClient } from '../../lambdas/aws/opensearch/client.ts';
import { configuredIndex } from '../../lambdas/aws/opensearch/index/configured-index.ts';
import { dropIndex } from '../../lambdas/aws/opensearch/index/drop-index.ts';
import { ensureIndex } from '../../lambdas/aws/opensearch/index/index-admin.ts';
import { indexOpener } from '../../lambdas/aws/opensearch/index/open-index.ts';
import { newIndexName } from '../../lambdas/aws/opensearch/index-name.ts';
import { s3PageStore } from '../../lambdas/aws/s3/s3-page-store.ts';
import { builtinEmbedder } from '../../lambdas/connectors/embedder/builtin.ts';
import { ingestPages } from '../../lambdas/domain/pages/ingest/ingest-pages.ts';
import { changeIndexRegistry } from '../../lambdas/domain/pages/reindexing/index-registry.ts';
import type { PageIndex } from '../../lambdas/domain/ports/page-index.ts';
import type { PageStore } from '../../lambdas/domain/ports/page-store.ts';
import type { Queue } from '../../lambdas/domain/ports/queue.ts';
import type { Table } from '../../lambdas/domain/ports/table.ts';
import { createOrganisation } from '../../lambdas/domain/sites/access/organisation.ts';
import { createSite } from '../../lambdas/domain/sites/manage-sites.ts';
import { readSite } from '../../lambdas/domain/sites/site.ts';
import { newId } from '../../lambdas/runtime/system.ts';
import { run } from '../support/admin-command.ts';
import { setAwsEnvironment } from './aws-environment.ts';
import { engineUrl } from './engine-url.ts';
import { openBucket } from './open-bucket.ts';

const PATIENCE_MS = 120_000;
const PAGES = Array.from({ length: 12 }, (_, index) => ({
  url: `/lamp-${index}`,
  contentType: 'text',
  content: `Lamp ${index} of the lighthouse.`,
}));

describe('npm run admin -- check with a stack', () => {
  const stack = `check-${newId().slice(-12)}`;
  const clock = Date.now;
  let table: Table;
  let pageStore: PageStore;
  let pageIndex: PageIndex;
  let siteId: string;
  let close: () => Promise<void>;

  beforeAll(async () => {
    setAwsEnvironment({ DYNAMODB_URL: engineUrl('dynoxide'), TABLE_NAME: stack });
    await makeTable(stack);
    await openBucket();
    table = dynamoTable(stack, { url: engineUrl('dynoxide') });
    pageStore = s3PageStore(String(process.env.PAGES_BUCKET), { url: engineUrl('s3mock') });
    const client = openSearchClient(engineUrl('opensearch'), { limitMs: 30_000 });
    const index = { ...configuredIndex, index: newIndexName(configuredIndex, newId()) };
    await ensureIndex(client, index);
    await changeIndexRegistry(
      undefined,
      { searched: index, retired: [], notBefore: 0, pauseSeconds: 0 },
      { table, clock },
    );
    pageIndex = (await indexOpener(client)(index)).index;
    close = async () => {
      await dropIndex(client, index.index);
      client.close();
    };
    siteId = await ingestedSite();
  }, PATIENCE_MS);
  afterAll(() => close());

  async function ingestedSite(): Promise<string> {
    const caller = { orgId: newId(), plan: 'pro' } as const;
    await createOrganisation({ ...caller, name: 'Test' }, { table, clock });
    const made = await createSite({ name: 'Test', baseUrl: 'https://www.example/' }, caller, { table, clock, newId });
    const site = await readSite(made.settings.siteId, table);
    if (!site) throw new Error('no site');
    const stores = { table, pageStore, pageIndex, embedder: builtinEmbedder(), queue: {} as Queue };
    const report = (_: string, error: unknown) => {
      throw error;
    };
    const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
    const answer = await ingestPages(
      site,
      PAGES,
      { plan: 'pro', receivedAt: clock() },
      { ...stores, clock, sleep, report },
    );
    expect(answer).toMatchObject({ processed: PAGES.length });
    return made.settings.siteId;
  }

  const check = async (...args: readonly string[]) => {
    const { PAGES_BUCKET = '', AWS_REGION = '', AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env;
    const urls = {
      DYNAMODB_URL: engineUrl('dynoxide'),
      S3_URL: engineUrl('s3mock'),
      OPENSEARCH_URL: engineUrl('opensearch'),
    };
    const variables = { ...urls, PAGES_BUCKET, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY };
    const { code, stdout, stderr } = await run('admin', ['--stack', stack, 'check', ...args], variables);
    return { code, stderr, result: stdout === '' ? {} : JSON.parse(stdout) };
  };

  it(
    'compares table, bucket and index, and repairs the index',
    async () => {
      const whole = { siteId, pages: 12, pageCount: 12, texts: 12, indexed: 12, faults: {} };
      expect(await check()).toEqual({ code: 0, stderr: '', result: { agrees: true, sites: [whole] } });
      const { items } = await pageIndex.find({ siteId, generation: 1 }, { text: '', limit: 3 });
      await pageIndex.remove(
        items.map(({ urlHash, revision }) => ({ siteId, generation: 1, urlHash, revision })),
        {
          visible: 'now',
        },
      );
      const found = await check(siteId);
      expect(found).toMatchObject({ code: 1, result: { agrees: false } });
      expect(found.result.sites[0]).toMatchObject({ indexed: 9, faults: { notIndexed: { pages: 3 } } });
      expect(await check(siteId, '--repair')).toMatchObject({ code: 0, result: { agrees: true } });
      expect((await check(siteId)).result.sites).toEqual([whole]);
    },
    PATIENCE_MS,
  );
});

async function makeTable(TableName: string): Promise<void> {
  const client = new DynamoDBClient({ endpoint: engineUrl('dynoxide') });
  const keys = ['pk', 'sk'] as const;
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: keys.map((name) => ({ AttributeName: name, AttributeType: 'S' as const })),
      KeySchema: keys.map((name) => ({ AttributeName: name, KeyType: name === 'pk' ? 'HASH' : 'RANGE' })),
    }),
  );
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1 }, { TableName });
}
