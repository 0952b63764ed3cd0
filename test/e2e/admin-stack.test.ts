import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { authenticate } from '../../lambdas/domain/sites/access/api-key.ts';
import { setAwsEnvironment } from '../engines/aws-environment.ts';
import { engines, hasDynoxide } from '../engines/engines.ts';
import { type CommandEnd, run } from '../support/admin-command.ts';

const STACK = 'site-search-test';
const CREDENTIALS = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'engine', AWS_SECRET_ACCESS_KEY: 'tests' };

(hasDynoxide() ? describe : describe.skip)('npm run admin with a stack', () => {
  let dynamo: Awaited<ReturnType<typeof engines.dynoxide.start>>;
  let services: Server;
  let variables: Readonly<Record<string, string>>;

  beforeAll(async () => {
    dynamo = await engines.dynoxide.start();
    setAwsEnvironment({ DYNAMODB_URL: dynamo.url, TABLE_NAME: STACK });
    await makeTable(dynamo.url);
    services = createServer((request, response) => {
      const isDomain = request.url?.startsWith(`/2021-01-01/opensearch/domain/${STACK}/health`);
      const target = String(request.headers['x-amz-target']);
      const body = isDomain
        ? { DomainState: 'Active', ClusterHealth: 'Green', DataNodeCount: '1', TotalShards: '1' }
        : target.endsWith('GetQueueUrl')
          ? { QueueUrl: `http://${request.headers.host}/queue` }
          : { Attributes: { ApproximateNumberOfMessages: '3', ApproximateNumberOfMessagesNotVisible: '1' } };
      response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => services.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(services.address() as AddressInfo).port}`;
    variables = {
      ...CREDENTIALS,
      DYNAMODB_URL: dynamo.url,
      AWS_ENDPOINT_URL_SQS: url,
      AWS_ENDPOINT_URL_OPENSEARCH: url,
    };
  });
  afterAll(async () => {
    services.close();
    services.closeAllConnections();
    await dynamo.stop();
  });

  const admin = (...args: readonly string[]): Promise<CommandEnd> =>
    run('admin', ['--stack', STACK, ...args], variables);

  it('creates an organisation in the table of the stack, with a working key', async () => {
    const { stdout, stderr } = await admin('organisation', 'create', '--name', 'Acme', '--plan', 'pro');
    expect(stderr).toBe('');
    const { orgId, apiKey } = JSON.parse(stdout);
    const { table } = await import('../../lambdas/aws/table.ts');
    expect(await authenticate(apiKey, { table, clock: Date.now })).toMatchObject({ orgId, role: 'owner', plan: 'pro' });
  });

  it('reports the state of queues, jobs and domain', async () => {
    const { stdout } = await admin('status');
    const { queues, jobs, domain } = JSON.parse(stdout);
    expect(queues.crawl).toEqual({ waiting: 3, worked: 1 });
    expect(Object.keys(queues)).toContain('crawl-dead');
    expect(jobs).toEqual([]);
    expect(domain).toMatchObject({ state: 'Active', health: 'Green' });
  });

  it('reports which part is unavailable, and the rest', async () => {
    const { stdout, code } = await run('admin', ['--stack', STACK, 'status'], {
      ...variables,
      AWS_MAX_ATTEMPTS: '1',
      AWS_ENDPOINT_URL_OPENSEARCH: 'http://127.0.0.1:9',
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ jobs: [], domain: { fault: expect.any(String) } });
  });

  it('refuses an invalid stack name', async () => {
    const { stderr, code } = await run('admin', ['--stack', 'No Stack', 'status'], variables);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('a-z') });
  });
});

async function makeTable(endpoint: string): Promise<void> {
  const client = new DynamoDBClient({ endpoint });
  await client.send(
    new CreateTableCommand({
      TableName: STACK,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    }),
  );
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1 }, { TableName: STACK });
}
