import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

const PRELOAD = new URL('../../../local/server/preload.js', import.meta.url).href;
const OPTIONS = ['--disable-warning=ExperimentalWarning', '--import', PRELOAD];

function evaluated(code: string, env: Readonly<Record<string, string>>): unknown {
  const { PATH } = process.env;
  const output = execFileSync(process.execPath, [...OPTIONS, '-p', code, 'one', '--two'], { env: { PATH, ...env } });
  return JSON.parse(output.toString());
}

describe('The preload', () => {
  const code = 'JSON.stringify([process.env.MALLOC_ARENA_MAX ?? null, process.argv.slice(1)])';

  it('starts the process again with freed memory going back, and with its arguments', () => {
    const arenas = process.platform === 'linux' ? '1' : null;
    expect(evaluated(code, {})).toEqual([arenas, ['one', '--two']]);
  });

  it('leaves a number of arenas that is set', () => {
    expect(evaluated(code, { MALLOC_ARENA_MAX: '4' })).toEqual(['4', ['one', '--two']]);
  });
});
