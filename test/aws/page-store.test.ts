import { pageStoreContract } from '../contracts/page-store.contract.ts';
import { openBucket } from '../engines/open-bucket.ts';

pageStoreContract('S3', async () => {
  await openBucket();
  const { pageStore } = await import('../../lambdas/aws/page-store.ts');
  return { pageStore, close: async () => {} };
});
