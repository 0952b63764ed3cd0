import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { clientSettings } from './client-settings.ts';
import { retryingClient, type ServiceOptions } from './retrying-client.ts';

/** Returns the text of a secret in Secrets Manager. Throws `UnavailableError` while the service does not answer. */
export async function readSecret(arn: string, options: ServiceOptions = {}): Promise<string> {
  const client = new SecretsManagerClient(clientSettings(options.url));
  const request = retryingClient('Secrets Manager', options);
  const command = new GetSecretValueCommand({ SecretId: arn });
  const { SecretString } = await request((abortSignal) => client.send(command, { abortSignal }));
  if (SecretString === undefined) throw new Error(`The secret ${arn} holds binary data, not text`);
  return SecretString;
}
