import { expect, it } from '@jest/globals';

for (const name of ['TABLE_NAME', 'QUEUE_URL_PREFIX', 'PAGES_BUCKET']) delete process.env[name];

const adapters: Readonly<Record<string, () => Promise<unknown>>> = {
  TABLE_NAME: () => import('../../lambdas/aws/table.ts'),
  QUEUE_URL_PREFIX: () => import('../../lambdas/aws/queue.ts'),
  PAGES_BUCKET: () => import('../../lambdas/aws/page-store.ts'),
};

for (const [name, load] of Object.entries(adapters)) {
  it(`an adapter that needs ${name} is not loaded without it`, async () => {
    await expect(load()).rejects.toThrow(`The environment variable ${name} is not set`);
  });
}
