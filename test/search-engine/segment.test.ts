import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Scanners } from '../../lambdas/search-engine/int8-scan.ts';
import { WordPostings } from '../../lambdas/search-engine/lexical-scorer.ts';
import { mergeSegments } from '../../lambdas/search-engine/merge-segments.ts';
import { quantize } from '../../lambdas/search-engine/quantization.ts';
import { Segment } from '../../lambdas/search-engine/segment.ts';
import { SegmentBuilder } from '../../lambdas/search-engine/segment-builder.ts';
import { encodeSections } from '../../lambdas/search-engine/segment-format.ts';
import { spelledTerm } from '../../lambdas/search-engine/spellings.ts';
import type { VectorPart } from '../../lambdas/search-engine/vector-writer.ts';
import { isOneEditFromPrefix, withinEditDistance } from '../../lambdas/text/words/edit-distance.ts';
import { allowedEdits } from '../../lambdas/text/words/spelling.ts';

type Page = {
  /** Its place, counted from 1, if it is not given. */
  readonly id?: number;
  readonly texts?: readonly (readonly string[])[];
  readonly title?: readonly string[];
  readonly spellings?: readonly string[];
  /** By text. */
  readonly labels?: readonly (readonly string[])[];
  readonly blocks?: readonly (VectorPart | undefined)[];
};

function open(bytes: Uint8Array, isLarge = false): Segment {
  return Segment.open([bytes.subarray(0, 100), bytes.subarray(100)], bytes.length, new Scanners(), isLarge);
}

function bytesOf(pages: readonly Page[]): Uint8Array {
  const builder = new SegmentBuilder();
  const numbers = (terms: readonly string[]) => Uint32Array.from(terms, (term) => builder.numberOf(term));
  const built = pages.map(({ id = 0, texts = [], title = [], spellings = [], labels = [], blocks = [] }, i) => ({
    id: id || i + 1,
    titleLength: title.length,
    titleTerms: numbers(title),
    facts: Buffer.from(JSON.stringify({ url: `https://example.org/${id || i + 1}` })),
    spellings: numbers(spellings.map(spelledTerm)),
    chunks: texts.map((text, ord) => ({
      ord,
      linkPercent: ord,
      block: blocks[ord],
      terms: numbers(text).map((number) => number << 1),
      labels: numbers(labels[ord] ?? []).map((number) => (number << 4) | 1),
    })),
  }));
  return builder.build(built);
}

const segmentOf = (pages: readonly Page[]): Segment => open(bytesOf(pages));
const merge = (segments: readonly Segment[]): Segment => open(encodeSections(mergeSegments(segments)));

/** `chunk: frequency` of each chunk that has one of the words. */
function found(segment: Segment, words: readonly string[]): readonly string[] {
  const postings = new WordPostings(words, segment);
  const { count } = postings;
  const list = postings.read();
  expect(count).toBe(list.length);
  return Array.from({ length: count }, (_, i) => `${list.chunks[i]}: ${list.frequencies[i]}`);
}

const word = fc.constantFrom('ape', 'bee', 'cat', 'dog', 'eel', 'fox', 'gnu', 'hen', '\u{1f42c}', '\uff21');

/** Of even and odd seeds in different groups. */
const block = (seed: number): VectorPart => ({
  kind: seed % 2 === 0 ? 'table' : 'hash',
  start: 2,
  dimensions: 40,
  numbers: Int16Array.from({ length: 35 }, (_, i) => 1000 * Math.sin(seed + i)),
});

/** A segment of each group, with ids in order. */
function withDeletions(groups: readonly (readonly { readonly page: Page; readonly isDeleted: boolean }[])[]) {
  let id = 0;
  return groups.map((pages) => {
    const numbered = pages.map(({ page, isDeleted }) => ({ page: { ...page, id: ++id }, isDeleted }));
    const segment = segmentOf(numbered.map(({ page }) => page));
    for (const { page, isDeleted } of numbered) if (isDeleted) segment.delete(page.id);
    return segment;
  });
}

describe('Segment', () => {
  const page = fc.record({
    texts: fc.array(fc.array(word, { maxLength: 6 }), { maxLength: 4 }),
    title: fc.uniqueArray(word),
    spellings: fc.uniqueArray(word),
    labels: fc.array(fc.uniqueArray(word)),
    blocks: fc.array(fc.option(fc.constantFrom(block(1), block(2), block(3)), { nil: undefined })),
  });
  const groups = fc.array(fc.array(fc.record({ page, isDeleted: fc.boolean() }), { maxLength: 5 }), { minLength: 1 });

  it('finds the chunks with any of the words after any deletions and merges', () => {
    fc.assert(
      fc.property(groups, fc.uniqueArray(word, { minLength: 1, maxLength: 3 }), (all, words) => {
        const segments = withDeletions(all);
        const kept = all.flat().flatMap(({ page: { texts }, isDeleted }) => (isDeleted ? [] : texts));
        const counts = kept.map((text) => text.filter((term) => words.includes(term)).length);
        const expected = counts.flatMap((count, chunk) => (count > 0 ? [`${chunk}: ${count}`] : []));
        const merged = merge(segments);
        expect(found(merged, words)).toEqual(expected);
        expect(segments.reduce((sum, segment) => sum + found(segment, words).length, 0)).toBe(expected.length);
        expect(merge([merged]).chunks).toBe(kept.length);
      }),
    );
  });

  it('is after deletions and a merge the same as one that is made of the pages', () => {
    fc.assert(
      fc.property(groups, (all) => {
        const kept = all.flat().flatMap(({ page: kept, isDeleted }, i) => (isDeleted ? [] : [{ ...kept, id: i + 1 }]));
        expect(encodeSections(mergeSegments(withDeletions(all)))).toEqual(bytesOf(kept));
      }),
    );
  });

  it('counts a word up to 255 times in a chunk, all of its forms together', () => {
    const segment = segmentOf([{ texts: [Array.from({ length: 400 }, (_, n) => (n < 300 ? 'ape' : 'bee'))] }]);
    expect([found(segment, ['bee']), found(segment, ['ape']), found(segment, ['ape', 'bee'])]).toEqual([
      ['0: 100'],
      ['0: 255'],
      ['0: 255'],
    ]);
  });

  it('knows pages with a term in their title, and their fields, also after a merge', () => {
    const pages = [{ title: ['ape', 'bee'], texts: [['x']] }, { title: ['bee'] }, { title: ['cat'] }];
    const first = segmentOf(pages);
    first.delete(2);
    const merged = merge([first, segmentOf([{ id: 9, title: ['bee'] }])]);
    const titled = [...merged.titlesWith(merged.lexicon.idOf('bee') ?? -1)];
    expect(titled.map((page) => merged.factsOf(page))).toEqual([
      { id: 1, url: 'https://example.org/1' },
      { id: 9, url: 'https://example.org/9' },
    ]);
    expect([...merged.titleLengths]).toEqual([2, 1, 1]);
  });

  it('has the same cosines by a plain loop and in WebAssembly, before and after a merge', () => {
    const pages = Array.from({ length: 300 }, (_, n) => ({ texts: [['x'], ['y']], blocks: [block(n), undefined] }));
    const small = segmentOf(pages);
    const bytes = encodeSections(mergeSegments([small]));
    const large = open(bytes, true);
    const query = Float32Array.from({ length: 40 }, (_, i) => Math.cos(i) / 10);
    const cosinesOf = (segment: Segment) => {
      const cosines = new Float32Array(segment.chunks).fill(Number.NaN);
      segment.vectors.scan(quantize(query)).fill(cosines);
      return cosines;
    };
    expect(cosinesOf(large)).toEqual(cosinesOf(small));
    expect([small.blockOf(0), small.blockOf(1), small.blockOf(2)]).toEqual(['table', undefined, 'hash']);
    expect(cosinesOf(small)[0]).toBeCloseTo(small.vectors.scan(quantize(query)).cosineOf(0) ?? 0, 2);
    expect(cosinesOf(small)[1]).toBeNaN();
  });

  it('refuses bytes of another format', () => {
    const bytes = new SegmentBuilder().build([]);
    bytes[4] = 99;
    expect(() => open(bytes)).toThrow('in the format of this version');
  });
});

describe('Spellings', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 2, maxLength: 13 });

  it('finds the same similar words as comparing with each word does', () => {
    fc.assert(
      fc.property(fc.uniqueArray(letters, { maxLength: 40 }), letters, (words, wanted) => {
        const edits = allowedEdits(wanted);
        const near = words.filter((word) => edits > 0 && word !== wanted && withinEditDistance(wanted, word, edits));
        const { spellings } = segmentOf([{ spellings: words }]);
        expect(
          spellings
            .similarTo(wanted)
            .map(({ word }) => word)
            .sort(),
        ).toEqual(near.sort());
      }),
    );
  });

  it('finds the same words that begin almost so as comparing with each word does', () => {
    fc.assert(
      fc.property(fc.uniqueArray(letters, { maxLength: 40 }), letters, (words, text) => {
        const starts = [text.charAt(0), text.charAt(1)];
        const almost = words.filter((word) => starts.includes(word.charAt(0)) && isOneEditFromPrefix(text, word));
        const { spellings } = segmentOf([{ spellings: words }]);
        expect(
          spellings
            .similarCompletionsOf(text)
            .map(({ word }) => word)
            .sort(),
        ).toEqual(almost.sort());
      }),
    );
  });

  it('finds the words that begin with a text, without those of deleted pages', () => {
    fc.assert(
      fc.property(fc.uniqueArray(letters), fc.uniqueArray(letters), letters, (first, second, all) => {
        const segment = segmentOf([{ spellings: first }, { spellings: second }]);
        const text = all.slice(0, 2);
        segment.delete(1);
        const expected = second.filter((word) => word.startsWith(text) && word !== text).sort();
        const completions = segment.spellings.completionsOf(text);
        expect(completions.map(({ word }) => word).sort()).toEqual(expected);
        expect(completions.every(({ pages }) => pages === 1)).toBe(true);
      }),
    );
  });
});
