import { expect, it } from '@jest/globals';
import { readSecret } from '../../../local/sqlite/secret.ts';

it('a secret of AWS cannot be read without AWS, and the error says what to set instead', async () => {
  await expect(readSecret('arn:aws:secretsmanager:us-east-1:111122223333:secret:key')).rejects.toThrow(
    'Set OPENAI_API_KEY instead',
  );
});
