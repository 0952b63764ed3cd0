import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

const PRELOAD = new URL('../../bin/local/preload.js', import.meta.url).href;
const OPTIONS = ['--disable-warning=ExperimentalWarning', '--import', PRELOAD];

function evaluated(code: string, env: Readonly<Record<string, string>>): unknown {
  const { PATH } = process.env;
  const output = execFileSync(process.execPath, [...OPTIONS, '-p', code, 'one', '--two'], { env: { PATH, ...env } });
  return JSON.parse(output.toString());
}

describe('The preload', () => {
  const code = 'JSON.stringify([process.env.MALLOC_TRIM_THRESHOLD_ ?? null, process.argv.slice(1)])';

  it('starts the process again with freed memory going back, and with its arguments', () => {
    const threshold = process.platform === 'linux' ? '131072' : null;
    expect(evaluated(code, {})).toEqual([threshold, ['one', '--two']]);
  });

  it('leaves a threshold that is set', () => {
    expect(evaluated(code, { MALLOC_TRIM_THRESHOLD_: '5000000' })).toEqual(['5000000', ['one', '--two']]);
  });
});
