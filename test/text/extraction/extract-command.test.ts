import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const PAGE = '<html lang=de><title>Mühlen</title><h1>Mühlen</h1><p>Roggen und Weizen.</p>';
const LINE = {
  title: 'Mühlen',
  text: 'Roggen und Weizen.',
  publishedAt: null,
  language: 'de',
  tags: [],
  description: null,
};

const run = (args: readonly string[], input = '') =>
  spawnSync(process.execPath, ['bin/extract.ts', ...args], { input, encoding: 'utf8' });
const printed = (lines: string): unknown[] =>
  lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('bin/extract.ts', () => {
  let directory = '';
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'extract-'));
    writeFileSync(join(directory, 'b.html'), PAGE);
    writeFileSync(join(directory, 'a.html'), '');
    writeFileSync(join(directory, 'notes.txt'), 'no page');
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('prints one JSON line for a file and for standard input', () => {
    expect(printed(run([join(directory, 'b.html')]).stdout)).toEqual([LINE]);
    expect(printed(run([], PAGE).stdout)).toEqual([LINE]);
  });

  it('reads a page from standard input that arrives in pieces', async () => {
    const child = spawn(process.execPath, ['bin/extract.ts'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const stdout = text(child.stdout);
    const pieces = Array.from({ length: 20 }, () => `<!-- ${'-'.repeat(300_000)} -->`); // each more than a pipe holds
    await pipeline(Readable.from([...pieces, PAGE]), child.stdin);
    expect(printed(await stdout)).toEqual([LINE]);
  });

  it('reads UTF-8 whatever the page declares, and other bytes in the declared charset', () => {
    const declaring = PAGE.replace('<title>', '<meta charset=windows-1252><title>');
    for (const encoding of ['latin1', 'utf8'] as const) {
      writeFileSync(join(directory, 'c.htm'), declaring, encoding);
      expect(printed(run([join(directory, 'c.htm')]).stdout)).toEqual([LINE]);
    }
  });

  it('prints one line with the file name for each page of a directory, in order', () => {
    expect(printed(run(['--batch', directory]).stdout)).toMatchObject([
      { file: 'a.html', title: '' },
      { file: 'b.html', ...LINE },
    ]);
  });

  it('exits with 1 and one line on stderr for a missing file and for unknown options', () => {
    for (const args of [[join(directory, 'none.html')], ['--colour']]) {
      const { status, stdout, stderr } = run(args);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    }
  });
});
