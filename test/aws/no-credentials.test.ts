import { expect, it } from '@jest/globals';
import { UnavailableError } from '../../lambdas/domain/errors.ts';

for (const name of Object.keys(process.env).filter((name) => name.startsWith('AWS_'))) delete process.env[name];
Object.assign(process.env, {
  AWS_REGION: 'us-east-1',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
});
const { dynamoTable } = await import('../../lambdas/aws/dynamodb/dynamo-table.ts');

it('a table without credentials throws UnavailableError in time and says what is missing', async () => {
  const pending = dynamoTable('table', { url: 'http://127.0.0.1:9', limitMs: 300 }).get({ pk: 'a', sk: 'b' });
  const error = await pending.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnavailableError);
  expect(error).toMatchObject({ message: expect.stringContaining('credentials') });
});
