import { openBucket } from '../../engines/open-bucket.ts';
import { pageStoreContract } from '../page-store.contract.ts';

pageStoreContract('S3', async () => {
  await openBucket();
  const { pageStore } = await import('../../../lambdas/adapters/aws/page-store.ts');
  return { pageStore, close: async () => {} };
});
