import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Chunk, chunkPage } from '../../../lambdas/text/chunking/chunks.ts';
import { countTokens } from '../../../lambdas/text/chunking/count-tokens.ts';
import type { Block } from '../../../lambdas/text/page-content.ts';

const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnop'), minLength: 2, maxLength: 10 });
const sentence = fc.array(word, { minLength: 3, maxLength: 30 }).map((words) => `${words.join(' ')}.`);
const paragraph = fc
  .array(sentence, { minLength: 1, maxLength: 8 })
  .map((list): Block => ({ kind: 'text', text: list.join(' ') }));
const lines = fc.array(sentence, { minLength: 1, maxLength: 60 }).map((list) => list.join('\n'));
const body = fc.oneof(
  { weight: 4, arbitrary: paragraph },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('list', 'code', 'table'), text: lines }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('text'), text: fc.constantFrom('Quick view', 'Add to cart') }),
  },
);
const heading = fc.record({
  kind: fc.constant('heading'),
  level: fc.constantFrom(1, 2, 3, 4),
  text: fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
});
const block = fc.oneof({ weight: 3, arbitrary: body }, { weight: 1, arbitrary: heading });
const page: fc.Arbitrary<readonly Block[]> = fc.array(block, { maxLength: 60 });
/** Without fast-check's preference for short arrays. */
const longPage: fc.Arbitrary<readonly Block[]> = fc.noBias(fc.array(block, { minLength: 20, maxLength: 60 }));
/** Texts that are hard to split: without letters, without blanks, or with little else. */
const rough = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '-'.repeat(9000),
        '🙂'.repeat(2000),
        '汉'.repeat(1600),
        'x'.repeat(5000),
        '| - '.repeat(2000),
        '。',
      ),
      fc.constantFrom(' ', ' '.repeat(6000), '\n', '\n'.repeat(3000), '. '),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

const words = (text: string): readonly string[] => text.match(/\w+/g) ?? [];
const wordsOf = (chunk: Chunk): readonly string[] => words(`${chunk.headings.join(' ')} ${chunk.text}`);
const text = (tokens: number, name = 'rye'): Block => ({ kind: 'text', text: Array(tokens).fill(name).join(' ') });

const key = ({ headings, text }: Chunk): string => JSON.stringify([headings, text]);

/** How many chunks of a page are new after an edit. */
const changed = (blocks: readonly Block[], edited: readonly Block[]): number =>
  newIn(chunkPage(blocks), chunkPage(edited));

function newIn(before: readonly Chunk[], after: readonly Chunk[]): number {
  const known = new Set(before.map(key));
  return after.filter((chunk) => !known.has(key(chunk))).length;
}

type Edit = (blocks: readonly Block[], at: number, paragraph: Block) => readonly Block[];

describe('chunkPage', () => {
  it('keeps every word of the blocks', () => {
    fc.assert(
      fc.property(page, (blocks) => {
        const kept = new Map<string, number>();
        for (const one of chunkPage(blocks).flatMap(wordsOf)) kept.set(one, (kept.get(one) ?? 0) + 1);
        for (const one of blocks.flatMap((block) => words(block.text))) kept.set(one, (kept.get(one) ?? 0) - 1);
        expect([...kept].filter(([, count]) => count < 0)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps the order of the text, numbers chunks from 0, and has no empty chunk', () => {
    fc.assert(
      fc.property(fc.array(paragraph, { maxLength: 40 }), (blocks) => {
        const chunks = chunkPage(blocks);
        expect(chunks.flatMap(({ text }) => words(text))).toEqual(blocks.flatMap(({ text }) => words(text)));
        expect(chunks.map(({ ord }) => ord)).toEqual(chunks.map((_, i) => i));
        expect(chunks.every(({ text }) => text.trim() !== '')).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps every character of any text in order, in chunks of about 4,000 characters', () => {
    const kinds = fc.constantFrom('text', 'code', 'list', 'table');
    fc.assert(
      fc.property(rough, kinds, (text, kind) => {
        const chunks = chunkPage([{ kind, text }]);
        expect(chunks.map((chunk) => chunk.text.replace(/\s/g, '')).join('')).toBe(text.replace(/\s/g, ''));
        expect(Math.max(0, ...chunks.map((chunk) => chunk.text.length))).toBeLessThanOrEqual(4400);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['dashes', '-'.repeat(200_000)],
    ['emoji', '🙂'.repeat(100_000)],
    ['empty cells', '|   '.repeat(50_000)],
    ['blanks', `rye${' '.repeat(1_000_000)}mill`],
    ['line ends', `rye${'\n'.repeat(1_000_000)}mill`],
  ])('has no chunk of more than 4,000 characters for %s', (_, long) => {
    const lengths = (['text', 'code', 'table'] as const).flatMap((kind) =>
      chunkPage([{ kind, text: long }]).map((chunk) => chunk.text.length),
    );
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4000);
  });

  it('keeps the lines, blank lines and indentation of a code sample, split or not', () => {
    const code = Array.from({ length: 300 }, (_, i) => `if (mill${i}) {\n  grind(rye, ${i});\n}\n`).join('\n');
    const sample = code.trimEnd();
    const codeOf = (text: string): string => text.replace(/^\t/gm, '');
    const [whole] = chunkPage([{ kind: 'code', text: sample.slice(0, 500) }]);
    expect(codeOf(whole?.text ?? '')).toBe(sample.slice(0, 500));
    const chunks = chunkPage([{ kind: 'code', text: sample }]);
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks.every(({ text }) => sample.includes(codeOf(text)))).toBe(true);
  });

  it('adds no blank between pieces of an endless word or between sentences without one', () => {
    const endless = 'x'.repeat(3000);
    expect(chunkPage([{ kind: 'text', text: endless }]).map(({ text }) => text)).toEqual([endless]);
    const sentences = '水车磨面。'.repeat(60);
    expect(chunkPage([{ kind: 'text', text: sentences }]).map(({ text }) => text)).toEqual([sentences]);
  });

  it('has chunks of at most 400 tokens below their headings', () => {
    fc.assert(
      fc.property(page, (blocks) => {
        const longest = Math.max(0, ...chunkPage(blocks).map(({ text }) => countTokens(text)));
        // A chunk that goes on within a section repeats that section's headings, of at most 4 times 4 words here.
        expect(longest).toBeLessThanOrEqual(416);
      }),
      { numRuns: 60 },
    );
  });

  it('changes at most two chunks for any new paragraph in a page of short sections', () => {
    const section = fc
      .tuple(word, fc.array(fc.integer({ min: 67, max: 99 }), { minLength: 3, maxLength: 3 }))
      .map(([name, lengths]): readonly Block[] => [
        { kind: 'heading', level: 2, text: name },
        ...lengths.map((length, at) => text(length, name + at)),
      ]);
    fc.assert(
      fc.property(
        fc.array(section, { minLength: 1 }),
        fc.nat(),
        fc.integer({ min: 1, max: 100 }),
        (sections, at, length) => {
          const blocks = sections.flat();
          const index = at % blocks.length;
          const inserted = [...blocks.slice(0, index), text(length), ...blocks.slice(index)];
          const replaced = blocks[index]?.kind === 'text' ? blocks.with(index, text(length)) : blocks;
          expect(changed(blocks, inserted)).toBeLessThanOrEqual(2);
          expect(changed(blocks, replaced)).toBeLessThanOrEqual(2);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each<[string, Edit]>([
    ['inserted', (blocks, at, paragraph) => blocks.toSpliced(at, 0, paragraph)],
    ['removed', (blocks, at) => blocks.toSpliced(at, 1)],
    ['replaced', (blocks, at, paragraph) => blocks.with(at, paragraph)],
  ])('changes at most two chunks in 98 %% of pages in which a paragraph is %s', (_, edit) => {
    const edits = fc.sample(fc.tuple(longPage, paragraph, fc.nat()), { numRuns: 1000, seed: 7 });
    const small = edits.filter(([blocks, other, n]) => {
      const paragraphs = [...blocks.keys()].filter((i) => blocks[i]?.kind === 'text');
      const at = paragraphs[n % paragraphs.length] as number;
      return changed(blocks, edit(blocks, at, other)) <= 2;
    });
    expect(small.length).toBeGreaterThanOrEqual(980);
  });

  it('splits the same text into the same chunks, whatever was split before', () => {
    fc.assert(
      fc.property(fc.array(page, { minLength: 1, maxLength: 3 }), page, (others, blocks) => {
        const alone = chunkPage(blocks);
        for (const other of others) chunkPage([...other, ...blocks]);
        expect(chunkPage(structuredClone(blocks))).toEqual(alone);
      }),
      { numRuns: 40 },
    );
  });

  it('keeps the chunks of sections that have moved', () => {
    const section = (name: string): readonly Block[] => [
      { kind: 'heading', level: 2, text: name },
      ...Array.from({ length: 12 }, (_, n) => text(30 + ((n * 17) % 60), `${name}${n}`)),
    ];
    const pageOf = (names: readonly string[]) => names.flatMap(section);
    expect(chunkPage(pageOf(['Mills', 'Weirs', 'Locks'])).length).toBeGreaterThan(5);
    expect(changed(pageOf(['Mills', 'Weirs', 'Locks']), pageOf(['Locks', 'Mills', 'Weirs']))).toBe(0);
  });

  it('has the headings above the whole chunk in `headings`, and deeper ones in the text', () => {
    const blocks: readonly Block[] = [
      { kind: 'heading', level: 2, text: 'Mills' },
      { kind: 'heading', level: 3, text: 'Wind' },
      text(150, 'sail'),
      { kind: 'heading', level: 3, text: 'Water' },
      text(150, 'wheel'),
      { kind: 'heading', level: 2, text: 'Bakers' },
      text(300, 'oven'),
    ];
    const chunks = chunkPage(blocks);
    expect(chunks.map(({ headings }) => headings)).toEqual([['Mills'], ['Bakers']]);
    expect(chunks[0]?.text).toMatch(/^Wind\n\nsail [a-z ]+\n\nWater\n\nwheel/);
  });

  it('does not split a table or a code sample that fits', () => {
    const table: Block = { kind: 'table', text: Array(60).fill('rye | 2 | 3 | 4 | 5').join('\n') };
    const chunks = chunkPage([text(300), table, text(300, 'oat')]);
    expect(chunks.filter(({ text }) => text.includes(table.text))).toHaveLength(1);
  });

  it('splits a long paragraph between sentences and an endless word anywhere', () => {
    const sentences = Array.from({ length: 100 }, (_, i) => `Sentence ${i} of a long text about mills.`);
    const chunks = chunkPage([{ kind: 'text', text: sentences.join(' ') }]);
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.every(({ text }) => text.startsWith('Sentence') && text.endsWith('mills.'))).toBe(true);
    expect(chunkPage([{ kind: 'text', text: 'x'.repeat(100_000) }]).length).toBeGreaterThan(10);
  });

  it('keeps the names of a list with their definitions', () => {
    const said = (n: number) =>
      `Says in a sentence what number ${n} is for, and in another one what it is not for at all.`;
    const entries = Array.from({ length: 60 }, (_, n) => `-${n}\n--number-${n}\n${said(n)}`);
    const chunks = chunkPage([{ kind: 'list', text: entries.join('\n') }]);
    expect(chunks.length).toBeGreaterThan(3);
    for (const { text } of chunks) expect(text).toMatch(/^ {2}-\d+\n.*all\.$/s);
    expect(chunks.map(({ text }) => text.replace(/^ {2}/gm, '')).join('\n')).toBe(entries.join('\n'));
  });

  it('repeats the names of the columns in each chunk of a long table', () => {
    const rows = Array.from({ length: 200 }, (_, n) => `rye ${n} | ${n} | 3 | 4 | 5`);
    const table: Block = { kind: 'table', text: ['Grain | Price | A | B | C', ...rows].join('\n'), head: 0 };
    const chunks = chunkPage([text(100), table]);
    expect(chunks.length).toBeGreaterThan(2);
    for (const chunk of chunks.filter((chunk) => chunk.text.includes(' | ')))
      expect(chunk.text.match(/^Grain \| Price \| A \| B \| C:$/gm)).toHaveLength(1);
    expect(chunkPage([{ ...table, text: `${'x'.repeat(301)} | a\n${rows.join('\n')}` }])[1]?.text).toMatch(/^rye/);
  });

  it('repeats the lead in each chunk of a long list', () => {
    const items = Array.from({ length: 90 }, (_, n) => `Item ${n} of the list of all the grains that the mill grinds.`);
    const chunks = chunkPage([
      { kind: 'text', text: 'About mills. The mill grinds:' },
      { kind: 'list', text: items.join('\n') },
    ]);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.slice(1).every((chunk) => /^About mills. The mill grinds:\n\n {2}Item/.test(chunk.text))).toBe(true);
  });

  it('has the share of a chunk that is inside links', () => {
    const chunks = chunkPage([
      { kind: 'list', text: 'Mills\nWeirs\nLocks', linked: 15 },
      { kind: 'text', text: 'A mill.'.padEnd(43, ' mill'), linked: 0 },
    ]);
    expect(chunks.map(({ linkShare }) => linkShare)).toEqual([0.25]);
  });

  it('keeps a heading without text', () => {
    expect(chunkPage([{ kind: 'heading', level: 2, text: 'Mills' }])).toMatchObject([
      { ord: 0, headings: [], text: 'Mills', linkShare: 0 },
    ]);
  });

  it('makes at most 1,000 chunks of a very long page', () => {
    expect(chunkPage(Array.from({ length: 3000 }, (_, i) => text(390, `w${i}`)))).toHaveLength(1000);
  });
});
