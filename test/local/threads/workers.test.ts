import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function run(script: string) {
  const folder = temporaryFolder();
  const file = fileURLToPath(new URL(`../../support/${script}`, import.meta.url));
  const flags = ['--disable-warning=ExperimentalWarning', '--conditions=local'];
  const output = await promisify(execFile)(process.execPath, [...flags, file, folder.path]);
  folder.remove();
  return output;
}

describe('the local workers', () => {
  it('end when they have worked and then rested, and others take their place', async () => {
    const { stdout, stderr } = await run('resting-workers.ts');
    const ended = (name: string) => `the ${name} thread ended with 0, after its message was done\n`;
    expect([stdout, stderr]).toEqual([`${ended('first')}${ended('second')}stopped\n`, '']);
  }, 20_000);

  it('start again if their thread has died while the store was locked', async () => {
    const { stdout, stderr } = await run('dying-workers.ts');
    expect(stdout).toBe('the workers run again\n');
    expect(stderr).toContain('the workers cannot start');
  }, 20_000);
});
