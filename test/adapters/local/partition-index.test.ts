import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { postingsOfAny } from '../../../lambdas/adapters/local/engine/lexical-scorer.ts';
import { Lexicon } from '../../../lambdas/adapters/local/engine/lexicon.ts';
import type { PageFacts } from '../../../lambdas/adapters/local/engine/page-facts.ts';
import { PageVocabulary } from '../../../lambdas/adapters/local/engine/page-vocabulary.ts';
import { PartitionIndex } from '../../../lambdas/adapters/local/engine/partition-index.ts';
import { Spellings, spelledTerm } from '../../../lambdas/adapters/local/engine/spellings.ts';
import { packTerms } from '../../../lambdas/adapters/local/engine/term-encoding.ts';
import { packVectors } from '../../../lambdas/adapters/local/engine/vector-encoding.ts';
import { isOneEditFromPrefix, withinEditDistance } from '../../../lambdas/core/language/edit-distance.ts';
import { allowedEdits } from '../../../lambdas/core/language/spelling.ts';

type Chunk = readonly string[];
type Step = { readonly add: readonly Chunk[] } | { readonly remove: number } | { readonly read: true };

const word = fc.constantFrom('ape', 'bee', 'cat', 'dog', 'eel', 'fox', 'gnu', 'hen');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ add: fc.array(fc.array(word, { maxLength: 6 }), { maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.constant<Step>({ read: true }) },
);

const factsOf = (id: number): PageFacts => ({
  ...{ id, urlHash: `h${id}`, url: `https://example.org/${id}`, path: `/${id}` },
  ...{ titleLength: 0, aliases: [], tags: [], facts: [] },
});

function add(index: PartitionIndex, id: number, texts: readonly Chunk[]): void {
  const vocabulary = new PageVocabulary();
  const chunks = texts.map((text, ord) => ({
    ...{ ord, labels: vocabulary.encodeLabels([]), linkShare: 0 },
    terms: vocabulary.encodeSequence(text.map((term) => [term])),
  }));
  const titleTerms = vocabulary.encodeDistinct([]);
  const terms = packTerms(
    { vocabulary: vocabulary.joined, titleTerms, spellings: new Uint32Array(), chunks },
    index.lexicon,
  );
  index.add({ facts: factsOf(id), terms, vectors: packVectors([]) });
}

/** `chunk: frequency` of each chunk that has one of the words. */
function found(index: PartitionIndex, words: readonly string[]): readonly string[] {
  const list = postingsOfAny(
    words.flatMap((term) => index.lexicon.idOf(term) ?? []),
    index,
  );
  return Array.from(
    { length: list.length },
    (_, i) => `${list.chunks.numbers[i]}: ${list.frequencies.numbers[i]}`,
  ).sort();
}

function expected(chunks: readonly (Chunk | undefined)[], words: readonly string[]): readonly string[] {
  const counts = chunks.map((text) => text?.filter((term) => words.includes(term)).length ?? 0);
  return counts.flatMap((count, chunk) => (count > 0 ? [`${chunk}: ${count}`] : [])).sort();
}

describe('PartitionIndex', () => {
  it('finds the chunks with any of the words after any order of adding, removing and searching', () => {
    const steps = fc.array(step, { maxLength: 25 });
    fc.assert(
      fc.property(steps, fc.uniqueArray(word, { minLength: 1, maxLength: 3 }), (all, words) => {
        const index = new PartitionIndex(new Lexicon());
        const pages: { readonly first: number; readonly count: number }[] = [];
        const chunks: (Chunk | undefined)[] = [];
        for (const one of all) {
          if ('add' in one) {
            add(index, pages.length, one.add);
            pages.push({ first: chunks.length, count: one.add.length });
            chunks.push(...one.add);
          } else if ('remove' in one) {
            index.remove(one.remove);
            const { first = 0, count = 0 } = pages[one.remove] ?? {};
            chunks.fill(undefined, first, first + count);
          } else expect(found(index, words)).toEqual(expected(chunks, words));
        }
        expect(found(index, words)).toEqual(expected(chunks, words));
      }),
    );
  });

  it('counts a word up to 255 times in a chunk, all of its forms together', () => {
    const index = new PartitionIndex(new Lexicon());
    add(index, 1, [Array.from({ length: 400 }, (_, n) => (n < 300 ? 'ape' : 'bee'))]);
    expect([found(index, ['bee']), found(index, ['ape']), found(index, ['ape', 'bee'])]).toEqual([
      ['0: 100'],
      ['0: 255'],
      ['0: 255'],
    ]);
  });

  it('holds more chunks than fit into one segment', () => {
    const index = new PartitionIndex(new Lexicon());
    const page = Array.from({ length: 1000 }, (_, n) => [n % 500 === 0 ? 'ape' : 'bee']);
    for (let id = 0; id < 70; id++) add(index, id, page);
    expect(found(index, ['ape'])).toHaveLength(140);
    expect(found(index, ['ape', 'bee'])).toHaveLength(70_000);
  });
});

describe('Spellings', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 2, maxLength: 11 });
  const filled = (words: readonly string[]) => {
    const lexicon = new Lexicon();
    const spellings = new Spellings(lexicon);
    for (const word of words) spellings.count([lexicon.add(spelledTerm(word))], 1);
    return { lexicon, spellings };
  };

  it('finds the same similar words as comparing with each word does', () => {
    fc.assert(
      fc.property(fc.uniqueArray(letters, { maxLength: 40 }), letters, (words, wanted) => {
        const edits = allowedEdits(wanted);
        const near = words.filter((word) => edits > 0 && word !== wanted && withinEditDistance(wanted, word, edits));
        const found = filled(words).spellings.similarTo(wanted);
        expect(found.map(({ word }) => word).sort()).toEqual(near.sort());
      }),
    );
  });

  it('finds the words that begin with a text after any order of adding and removing', () => {
    fc.assert(
      fc.property(fc.uniqueArray(letters), fc.uniqueArray(letters), letters, (first, second, all) => {
        const { lexicon, spellings } = filled(first);
        const text = all.slice(0, 2);
        spellings.completionsOf(text);
        spellings.count(
          second.map((word) => lexicon.add(spelledTerm(word))),
          1,
        );
        spellings.count(
          first.map((word) => lexicon.add(spelledTerm(word))),
          -1,
        );
        const expected = second.filter((word) => word.startsWith(text) && word !== text).sort();
        const found = spellings.completionsOf(text);
        expect(found.map(({ word }) => word).sort()).toEqual(expected);
        expect(found.every(({ pages }) => pages === 1)).toBe(true);
      }),
    );
  });
});

describe('isOneEditFromPrefix', () => {
  it('is what comparing with every beginning of the word says', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(letters, letters, (text, word) => {
        const beginnings = Array.from({ length: word.length + 1 }, (_, length) => word.slice(0, length));
        const expected = beginnings.some((beginning) => withinEditDistance(text, beginning, 1));
        expect(isOneEditFromPrefix(text, word)).toBe(expected);
      }),
    );
  });
});

describe('withinEditDistance', () => {
  const cases: readonly (readonly [string, string, number])[] = [
    ['backup', 'backup', 0],
    ['backup', 'bakcup', 1],
    ['backup', 'bakup', 1],
    ['backup', 'bbackup', 1],
    ['backup', 'backap', 1],
    ['backup', 'abckpu', 2],
    ['backup', 'backing', 3],
    ['', 'ab', 2],
  ];
  for (const [a, b, edits] of cases) {
    it(`takes ${edits} edits from "${a}" to "${b}" and back`, () => {
      for (const [from, to] of [
        [a, b],
        [b, a],
      ] as const) {
        expect([withinEditDistance(from, to, edits), edits > 0 && withinEditDistance(from, to, edits - 1)]).toEqual([
          true,
          false,
        ]);
      }
    });
  }
});
