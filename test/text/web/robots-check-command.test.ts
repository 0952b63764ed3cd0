import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

/** The output of `bin/robots-check.ts`, line by line. */
function answers(lines: readonly string[]): readonly unknown[] {
  const { stdout } = spawnSync(process.execPath, ['bin/robots-check.ts'], {
    input: lines.join('\n'),
    encoding: 'utf8',
  });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const asked = (url: string): string =>
  JSON.stringify({ robotstxt: 'User-agent: *\nDisallow: /private', url, userAgent: 'SomeBot' });

describe('bin/robots-check.ts', () => {
  it('answers every line that is not empty', () => {
    const lines = [asked('https://example.com/private/a'), '', asked('https://example.com/'), ''];
    expect(answers(lines)).toEqual([{ allowed: false }, { allowed: true }]);
  });

  it('answers an invalid line with an error, and the other lines', () => {
    const lines = ['nonsense', '{"robotstxt": 1}', 'null', asked('https://example.com/')];
    const error = expect.any(String);
    expect(answers(lines)).toEqual([
      { error },
      { error: expect.stringContaining('robotstxt') },
      { error },
      { allowed: true },
    ]);
  });
});
