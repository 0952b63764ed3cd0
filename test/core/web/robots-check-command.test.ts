import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

/** What `bin/robots-check.ts` answers to each line. */
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
  it('answers each line, an empty one not at all', () => {
    const lines = [asked('https://example.com/private/a'), '', asked('https://example.com/'), ''];
    expect(answers(lines)).toEqual([{ allowed: false }, { allowed: true }]);
  });

  it('tells what is wrong with a line in its place, and answers the others', () => {
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
