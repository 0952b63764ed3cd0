/** Throws, because Secrets Manager exists only in AWS. Elsewhere the key is in the environment. */
export async function readSecret(_arn: string): Promise<string> {
  throw new Error('OPENAI_API_KEY_SECRET works in AWS only. Set OPENAI_API_KEY instead.');
}
