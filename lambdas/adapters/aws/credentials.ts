import { env } from '../../env.ts';
import type { Credentials } from './sign-request.ts';

type Provider = () => Promise<Credentials>;

let provider: Promise<Provider> | undefined;

/** Those that Lambda gives to its functions; elsewhere, those that AWS's own tools would find: profile, SSO, container, machine. */
export async function credentials(): Promise<Credentials> {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = env;
  if (AWS_ACCESS_KEY_ID !== undefined && AWS_SECRET_ACCESS_KEY !== undefined) {
    return {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN !== undefined && { sessionToken: AWS_SESSION_TOKEN }),
    };
  }
  provider ??= import('@aws-sdk/credential-provider-node').then(({ defaultProvider }) => defaultProvider());
  return (await provider)();
}
