import { asker, type ServiceOptions } from './asker.ts';
import { jsonClient } from './json-client.ts';
import { needed } from './needed.ts';

type SecretCalls = {
  readonly GetSecretValue: readonly [{ readonly SecretId: string }, { readonly SecretString?: string }];
};

/** The text of a secret in Secrets Manager. Throws `UnavailableError` while it does not answer. */
export async function readSecret(arn: string, options: ServiceOptions = {}): Promise<string> {
  const service = { name: 'secretsmanager', target: 'secretsmanager', version: '1.1' } as const;
  const call = jsonClient<SecretCalls>({ ...service, region: needed('AWS_REGION'), url: options.url });
  const ask = asker('Secrets Manager', options);
  const { SecretString } = await ask((signal) => call('GetSecretValue', { SecretId: arn }, signal));
  if (SecretString === undefined) throw new Error('The secret of the provider’s key is no text');
  return SecretString;
}
