import type { Secrets } from '../template/deployed-template.ts';
import type { AwsCall } from './aws-call.ts';
import type { EngineAnswer } from './engine-request.ts';

/** GetSecretValue, the only call of Secrets Manager that the service makes. */
export const secretsManager =
  (secrets: Secrets) =>
  async ({ body }: AwsCall): Promise<EngineAnswer> => {
    const { SecretId } = JSON.parse(String(body)) as { SecretId: string };
    const SecretString = secrets.get(SecretId);
    const found = SecretString !== undefined;
    const content = found ? { ARN: SecretId, SecretString } : { __type: 'ResourceNotFoundException' };
    const headers = { 'content-type': 'application/x-amz-json-1.1' };
    return { status: found ? 200 : 400, headers, body: Buffer.from(JSON.stringify(content)) };
  };
