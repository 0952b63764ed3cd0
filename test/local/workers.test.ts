import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../support/temporary-folder.ts';

const script = fileURLToPath(new URL('../support/dying-workers.ts', import.meta.url));

describe('the local workers', () => {
  it('start again if their thread has died while the store was locked', async () => {
    const folder = temporaryFolder();
    const flags = ['--disable-warning=ExperimentalWarning', '--conditions=local'];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...flags, script, folder.path]);
    folder.remove();
    expect(stdout).toBe('the workers run again\n');
    expect(stderr).toContain('the workers cannot start');
  }, 20_000);
});
