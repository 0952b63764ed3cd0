import { describe, expect, it } from '@jest/globals';
import { putLines } from '../../../lambdas/aws/opensearch/index/page-writes.ts';
import { indexEntries } from '../../../lambdas/domain/pages/index-entry.ts';
import type { Embedder } from '../../../lambdas/domain/ports/embedder.ts';
import { newScope } from '../../support/index-entries.ts';

/** The limit of a request to OpenSearch Service on t3.small, t3.medium and *.large machines. */
const MAX_BYTES = 10 * 1024 * 1024;

/** Vectors whose numbers are as long as they get. */
const embedderOf = (dimensions: number): Embedder => ({
  space: 'test',
  dimensions,
  embedTexts: async (texts) =>
    texts.map(() => ({ block: 'model' as const, vector: new Float32Array(dimensions).fill(-0.1234) })),
  embedQuery: async () => undefined,
});

const WORDS = [
  'harbour',
  'lantern',
  'gopher',
  'snake_case_name',
  'HTTPServer',
  'über',
  'reading',
  'e-mail',
  '"quoted"',
];
const english = (length: number): string => {
  const sentences: string[] = [];
  for (let n = 0, size = 0; size < length; n++) {
    const sentence = `${WORDS.map((word, i) => `${word}${(n * (i + 1)) % 997}`).join(' ')}.`;
    size += sentence.length;
    sentences.push(sentence);
  }
  return sentences.join(' ');
};
const chinese = (length: number): string =>
  Array.from({ length }, (_, n) => (n % 30 === 29 ? '。' : String.fromCharCode(0x4e00 + ((n * 7919) % 5000)))).join('');

async function entryOf(text: string, language: string, dimensions: number) {
  const site = newScope();
  const row = {
    url: 'https://example.org/',
    urlHash: 'a',
    revision: 1,
    crawledAt: '2026-01-01T00:00:00Z',
    contentHash: 'c',
  };
  const blocks = text.match(/.{1,2000}/gsu)?.map((part) => ({ kind: 'text' as const, text: part })) ?? [];
  const content = { title: 'Long', language, blocks, tags: [], links: [], noindex: false, nofollow: false };
  const [entry] = await indexEntries([{ ...site, row, content }], embedderOf(dimensions));
  if (!entry) throw new Error('there is no entry');
  return { entry, bytes: Buffer.byteLength(putLines(entry, dimensions).lines) };
}

describe('the entry of a long page', () => {
  it.each([
    ['English', 384, english(2_000_000), 'en'],
    ['English', 1536, english(2_000_000), 'en'],
    ['Chinese', 1024, chinese(900_000), 'zh'],
  ])(
    'in %s with vectors of %d numbers is cut to what OpenSearch Service takes',
    async (_, dimensions, text, language) => {
      const { entry, bytes } = await entryOf(text, language, dimensions);
      expect(entry.truncated).toBe(true);
      expect(bytes).toBeLessThan(MAX_BYTES);
      expect(bytes).toBeGreaterThan(MAX_BYTES / 2);
    },
  );

  it('the entry of a long page is whole if it fits', async () => {
    const { entry } = await entryOf(english(300_000), 'en', 384);
    expect(entry).not.toHaveProperty('truncated');
  });
});
