import { describe, expect, it } from '@jest/globals';
import { chunkPage } from '../../../lambdas/text/chunking/chunks.ts';
import { passageBlocks } from '../../../lambdas/text/chunking/passage-blocks.ts';
import type { Block } from '../../../lambdas/text/page-content.ts';

const read = (...blocks: readonly Block[]) => chunkPage(blocks).flatMap(({ text }) => passageBlocks(text));

describe('passageBlocks', () => {
  it('tells lists, code and tables from other text, as they were written into a passage', () => {
    expect(
      read(
        { kind: 'text', text: 'Mills grind.\nMany do.' },
        { kind: 'list', text: 'rye\n  fine\nwheat' },
        { kind: 'code', text: 'mill {\n\n  run\n\tfast\n}' },
        { kind: 'table', text: 'Prices\nGrain | Price\nrye | 2\n | 3', head: 1 },
        { kind: 'table', text: 'rye | 2\noat | 3' },
      ),
    ).toEqual([
      { kind: 'text', lines: ['Mills grind.', 'Many do.'] },
      { kind: 'list', lines: ['rye', '  fine', 'wheat'] },
      { kind: 'code', lines: ['mill {', '', '  run', '\tfast', '}'] },
      {
        kind: 'table',
        above: ['Prices'],
        columns: ['Grain', 'Price'],
        rows: [
          ['rye', '2'],
          ['', '3'],
        ],
      },
      {
        kind: 'table',
        above: [],
        columns: [],
        rows: [
          ['rye', '2'],
          ['oat', '3'],
        ],
      },
    ]);
  });

  it('takes a line with bars for a path, not for a table', () => {
    expect(passageBlocks('Home | Mills | Rye\n\nLamp | Oil\nThis protects the lamp.\nAlways.')).toEqual([
      { kind: 'text', lines: ['Home | Mills | Rye'] },
      { kind: 'text', lines: ['Lamp | Oil', 'This protects the lamp.', 'Always.'] },
    ]);
  });
});
