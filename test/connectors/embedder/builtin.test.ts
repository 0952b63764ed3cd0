import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { builtinEmbedder } from '../../../lambdas/connectors/embedder/builtin.ts';
import { BUILTIN_SPACE } from '../../../lambdas/connectors/embedder/space.ts';
import { embedderContract } from '../../contracts/embedder.contract.ts';

const embedder = builtinEmbedder();

const embedText = async (text: string, language?: string) => (await embedder.embedTexts([{ text, language }]))[0];
const lengths = (vector: Float32Array | undefined) => [
  Math.hypot(...(vector?.subarray(0, 256) ?? [])),
  Math.hypot(...(vector?.subarray(256) ?? [])),
];
const [zero, one] = [expect.closeTo(0, 5), expect.closeTo(1, 5)];

embedderContract('the built-in table', async () => ({ embedder: builtinEmbedder() }));

describe('builtinEmbedder', () => {
  it('names its space by the hash of its table', () => {
    const table = readFileSync(new URL('../../../embedder/english-256.sem', import.meta.url));
    const hash = createHash('sha256').update(table).digest('hex').slice(0, 8);
    expect(BUILTIN_SPACE).toBe(`builtin-sem1-${hash}-h1`);
    expect(embedder.space).toBe(BUILTIN_SPACE);
    expect(embedder.dimensions).toBe(384);
  });

  it('distinguishes words of English from misspelt ones', async () => {
    const known = await Promise.all(['visa', 'contest', 'replicaton', 'qzx'].map((word) => embedder.isWord?.(word)));
    expect(known).toEqual([true, true, false, false]);
  });

  it('fills the block of the page’s language, and no other', async () => {
    for (const language of ['en', 'en-US', 'EN']) {
      const found = await embedText('Opening hours of the library', language);
      expect(found?.block).toBe('table');
      expect(lengths(found?.vector)).toEqual([one, zero]);
    }
    for (const language of ['de', 'ja', 'xx']) {
      const found = await embedText('Opening hours of the library', language);
      expect(found?.block).toBe('hash');
      expect(lengths(found?.vector)).toEqual([zero, one]);
    }
  });

  it('detects by the words whether a page without a language is English', async () => {
    expect((await embedText('The library is open on Sundays from nine to five.'))?.block).toBe('table');
    expect((await embedText('Die Bibliothek ist sonntags von neun bis fünf Uhr geöffnet.', ''))?.block).toBe('hash');
  });

  it('fills both blocks for a query', async () => {
    expect(lengths(await embedder.embedQuery('opening hours', 800))).toEqual([one, one]);
    expect(lengths(await embedder.embedQuery('図書館', 800))).toEqual([zero, one]);
  });

  it('makes no vector of a text without known words', async () => {
    expect(
      await embedder.embedTexts([
        { text: '…', language: 'de' },
        { text: '検索', language: 'en' },
      ]),
    ).toEqual([undefined, undefined]);
  });

  it('throws if the file of the table is missing', async () => {
    await expect(builtinEmbedder({ tableFile: '/nonexistent.sem' }).embedQuery('query', 800)).rejects.toThrow('ENOENT');
  });
});
