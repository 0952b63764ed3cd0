import { limiterContract } from '../contracts/limiter.contract.ts';
import { openTable } from '../engines/open-table.ts';

/** An emulator on a busy machine takes longer for 200 calls than a count may take in production. */
const LIMIT_MS = 15_000;

limiterContract('DynamoDB', async () => {
  const { name, url, close } = await openTable();
  const { dynamoTable } = await import('../../lambdas/aws/dynamodb/dynamo-table.ts');
  return { table: dynamoTable(name, { url, limitMs: LIMIT_MS }), close };
});
