/** Sets variables, and a key if the environment has none: engines on this machine accept any key. */
export function setAwsEnvironment(variables: Readonly<Record<string, string>>): void {
  const { AWS_PROFILE, AWS_REGION, AWS_ACCESS_KEY_ID } = process.env;
  const key = { AWS_ACCESS_KEY_ID: 'engine', AWS_SECRET_ACCESS_KEY: 'tests' };
  const hasKey = Boolean(AWS_PROFILE || AWS_ACCESS_KEY_ID);
  Object.assign(process.env, { AWS_REGION: AWS_REGION || 'us-east-1' }, hasKey ? {} : key, variables);
}
