import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { clientSettings } from './client-settings.ts';
import { asker, type ServiceOptions } from './retrying-client.ts';

/** The text of a secret in Secrets Manager. Throws `UnavailableError` while it does not answer. */
export async function readSecret(arn: string, options: ServiceOptions = {}): Promise<string> {
  const client = new SecretsManagerClient(clientSettings(options.url));
  const command = new GetSecretValueCommand({ SecretId: arn });
  const ask = asker('Secrets Manager', options);
  const { SecretString } = await ask((abortSignal) => client.send(command, { abortSignal }));
  if (SecretString === undefined) throw new Error('The secret of the provider’s key is no text');
  return SecretString;
}
