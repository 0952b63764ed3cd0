import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function run(script: string) {
  const folder = temporaryFolder();
  const file = fileURLToPath(new URL(`../../support/${script}`, import.meta.url));
  const output = await promisify(execFile)(process.execPath, [file, folder.path]);
  folder.remove();
  return output;
}

describe('the local workers', () => {
  it('start again if their thread has died while the store was locked', async () => {
    const { stdout, stderr } = await run('dying-workers.ts');
    expect(stdout.split('\n')).toEqual([
      'an endpoint: 401',
      'an endpoint, as the thread dies: UnavailableError',
      'the workers run again',
      'an endpoint: 401',
      '',
    ]);
    expect(stderr).toContain('the workers cannot start');
  }, 20_000);
});
