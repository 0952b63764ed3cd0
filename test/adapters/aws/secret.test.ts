import { describe, expect, it } from '@jest/globals';
import { setAwsEnvironment } from '../../engines/aws-environment.ts';
import { answer, scriptedServer } from '../../support/scripted-server.ts';

setAwsEnvironment({});
const { readSecret } = await import('../../../lambdas/adapters/aws/secret.ts');
const ARN = 'arn:aws:secretsmanager:us-east-1:111122223333:secret:provider-key-AbCdEf';

/** What a Secrets Manager that answers so makes of the question, and what it was asked. */
async function asked(status: number, body: object) {
  const server = await scriptedServer(answer(status, body));
  const [outcome] = await Promise.allSettled([readSecret(ARN, { url: server.url })]);
  await server.close();
  return { outcome, requests: server.requests };
}

describe('a secret of Secrets Manager', () => {
  it('is asked for by its ARN, and is its text', async () => {
    const { outcome, requests } = await asked(200, { ARN, SecretString: 'sk-kept' });
    expect(outcome).toMatchObject({ value: 'sk-kept' });
    expect(requests).toMatchObject([{ action: 'GetSecretValue', body: JSON.stringify({ SecretId: ARN }) }]);
  });

  it('is refused with the reason', async () => {
    const { outcome } = await asked(400, { __type: 'AccessDeniedException', Message: 'no permission' });
    expect(outcome).toMatchObject({ reason: { message: expect.stringContaining('no permission') } });
  });

  it('is no binary', async () => {
    const { outcome } = await asked(200, { ARN, SecretBinary: 'AAAA' });
    expect(outcome).toMatchObject({ reason: { message: expect.stringContaining('binary data') } });
  });
});
