import { tableContract } from '../contracts/table.contract.ts';
import { openTable } from '../engines/open-table.ts';

tableContract('DynamoDB', async () => {
  const { close } = await openTable();
  const { table } = await import('../../lambdas/aws/table.ts');
  return { table, close };
});
