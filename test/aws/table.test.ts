import { openTable } from '../../engines/open-table.ts';
import { tableContract } from '../table.contract.ts';

tableContract('DynamoDB', async () => {
  const { close } = await openTable();
  const { table } = await import('../../../lambdas/adapters/aws/table.ts');
  return { table, close };
});
