import { describe, expect, it } from '@jest/globals';
import { setAwsEnvironment } from '../engines/aws-environment.ts';
import { answer, scriptedServer } from '../support/scripted-server.ts';

setAwsEnvironment({});
const { readSecret } = await import('../../lambdas/aws/secret.ts');
const ARN = 'arn:aws:secretsmanager:us-east-1:111122223333:secret:provider-key-AbCdEf';

async function readFrom(status: number, body: object) {
  const server = await scriptedServer(answer(status, body));
  const [outcome] = await Promise.allSettled([readSecret(ARN, { url: server.url })]);
  await server.close();
  return { outcome, requests: server.requests };
}

describe('a secret of Secrets Manager', () => {
  it('a secret is requested by its ARN', async () => {
    const { outcome, requests } = await readFrom(200, { ARN, SecretString: 'sk-secret' });
    expect(outcome).toMatchObject({ value: 'sk-secret' });
    expect(requests).toMatchObject([{ action: 'GetSecretValue', body: JSON.stringify({ SecretId: ARN }) }]);
  });

  it('a secret that is not readable fails with the reason', async () => {
    const { outcome } = await readFrom(400, { __type: 'AccessDeniedException', Message: 'no permission' });
    expect(outcome).toMatchObject({ reason: { message: expect.stringContaining('no permission') } });
  });

  it('a secret must be text', async () => {
    const { outcome } = await readFrom(200, { ARN, SecretBinary: 'AAAA' });
    expect(outcome).toMatchObject({ reason: { message: expect.stringContaining('binary data') } });
  });
});
