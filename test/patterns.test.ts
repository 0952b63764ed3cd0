import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { type ProductPattern, productPatterns } from './support/patterns/product-patterns.ts';
import { type Slowest, slowestText } from './support/patterns/slowest-text.ts';

const PROJECT = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
const MAX_MS = 50;
/** The collection of garbage may fall into one measurement, hardly into each of three. */
const ATTEMPTS = 3;

/**
 * Characters of the longest text that reaches the patterns of a folder or file. The most specific row counts. A page
 * has up to 10 MB, where a pattern that takes linear time and finds much is not within the limit: at this length a
 * quadratic one takes seconds, a linear one a few milliseconds.
 */
const LONGEST: Readonly<Record<string, number>> = {
  '': 100_000,
  'lambdas/aws/dynamodb/query-items.ts': 1_024, // a sort key
  'lambdas/domain/analytics': 2_048, // queries, comments, addresses
  'lambdas/domain/answers': 10_000, // passages: 400 tokens below their headings
  'lambdas/domain/answers/answer-pieces.ts': 2_500,
  'lambdas/domain/answers/safe-markdown.ts': 2_500,
  'lambdas/text/web/charset.ts': 1_024, // the start of a page
  'lambdas/text/web/url-patterns.ts': 1_000, // patterns of owners
};

/** Two of them held the thread that serves: for minutes, and for a fifth of a second a query. */
const SLOW: readonly (readonly [string, number, ProductPattern])[] = [
  ['a citation of divided white space', 2_500, pattern(String.raw`\[\d(?:(?:\s*,\s*|\s+)\s*\d){0,19}\s*\]`)],
  [
    'a mail address whose separator is in both sides',
    2_048,
    pattern(String.raw`[^\s@<>()[\],;:"?&=/]{1,64}(?:@|%40)[^\s@<>()[\],;:"?&=/]{1,253}\.[^\s@.]{1,63}`, 'gi'),
  ],
  ['a quadratic end', 20_000, pattern('[.,;]+$')],
];

function surelySlowest(one: ProductPattern): Slowest {
  let slowest = slowestText(one, longestFor(one.file));
  for (let attempt = 1; attempt < ATTEMPTS && slowest.ms > MAX_MS; attempt++)
    slowest = slowestText(one, longestFor(one.file));
  return slowest;
}

describe('a regular expression', () => {
  const { patterns, unseen } = productPatterns(PROJECT);

  it('is built when its module is imported', () => {
    expect(unseen).toEqual([]);
    expect(patterns.length).toBeGreaterThan(400);
  });

  it.each(SLOW)('a regular expression is recognised as slow if it is %s', (_, length, slow) => {
    expect(slowestText(slow, length).ms).toBeGreaterThan(MAX_MS);
  });

  it('a regular expression takes at most 50 ms for the longest hostile text', () => {
    const slow = patterns.flatMap((one) => {
      const { ms, text } = surelySlowest(one);
      return ms > MAX_MS
        ? [`${one.file}: ${Math.round(ms)} ms for ${JSON.stringify(text.slice(0, 80))} of ${one.source}`]
        : [];
    });
    expect(slow).toEqual([]);
  });
});

function pattern(source: string, flags = ''): ProductPattern {
  return { file: '', source, flags };
}

function longestFor(file: string): number {
  const rows = Object.keys(LONGEST).filter((row) => row === '' || file === row || file.startsWith(`${row}/`));
  return LONGEST[rows.toSorted((a, b) => b.length - a.length)[0] ?? ''] ?? 0;
}
