import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_SNIPPET_LENGTH, type Snippet, snippetCutter } from '../../../../lambdas/domain/search/results/snippet.ts';
import { queryTerms } from '../../../../lambdas/text/words/query-terms.ts';

const of = (text: string, query: string, language = 'en'): Snippet =>
  snippetCutter(queryTerms(query, [language]))(text, language);
const marked = ({ text, highlights }: Snippet): readonly string[] =>
  highlights.map(([start, end]) => text.slice(start, end));

const filler = 'The quick brown fox jumps over the lazy dog near the river bank today. ';
const sentence = 'A running server can be backed up while clients write to it.';

describe('snippet', () => {
  it('is the whole of a short text, with the words of the query marked in any form', () => {
    const found = of('Libraries open\n\n at nine.  Ask the librarian.', 'library opening');
    expect(found.text).toBe('Libraries open\nat nine. Ask the librarian.');
    expect(marked(found)).toEqual(['Libraries', 'open']);
  });

  it('begins with the sentence that has most of the words, and ends with a sentence', () => {
    const found = of(
      `${filler.repeat(8)}The server is new. ${filler.repeat(8)}${sentence} ${filler.repeat(8)}`,
      'server clients write',
    );
    expect(found.text).toMatch(/^[A-Z].*\.$/);
    expect(marked(found)).toEqual(['server', 'clients', 'write']);
    expect(found.text).toContain(sentence);
  });

  it('keeps line ends and reduces other white space to single blanks', () => {
    expect(of('$ make   world\n\n\t$ make install', 'make').text).toBe('$ make world\n$ make install');
  });

  it('begins a row of a table with the names of its columns', () => {
    const rows = Array.from({ length: 60 }, (_, n) => `eia${n}.medium | ${n} | ${2 * n} | memory of ${n} GB`);
    const found = of(`Types\n\nType | FP32 | F16 | Memory:\n${rows.join('\n')}\n\nEnd.`, 'eia40.medium');
    expect(found.text).toMatch(/^Type \| FP32 \| F16 \| Memory:\neia40\.medium \| 40 \|.* GB$/s);
    expect(found.text.length).toBeLessThanOrEqual(MAX_SNIPPET_LENGTH);
    expect(marked(found)).toContain('eia40.medium');
    expect(found.line).toBe(42);
  });

  it.each([
    'Some pages fail, e.g. those that end here.',
    'Others fail, cf. Some Other Page for that.',
    'It was J. Smith who wrote the first one.',
    'It cost 3.50 then, approx. half of it.',
  ])('does not end within %s', (abbreviated) => {
    const found = of(
      `${filler.repeat(6)}${'Nothing is said in this one. '.repeat(5)}${abbreviated} ${filler.repeat(6)}`,
      abbreviated,
    );
    expect(found.text).toContain(abbreviated);
    expect(found.text).toMatch(/^[A-Z].*\.$/);
  });

  it('prefers the name of an explanation to a repetition of the word', () => {
    const definition = `needle (integer)\nSays how long it is. ${filler.repeat(3)}`;
    const text = `${filler.repeat(3)}\n${definition}\nThe needle, and a needle and a needle. ${filler}`;
    expect(of(text, 'needle').text).toMatch(/^needle \(integer\)\nSays how long/);
  });

  it('does not end with a heading or a name without its text', () => {
    const option = `-s\n--signoff\n${'Adds a line at the end of the message, which some projects ask for. '.repeat(5)}`;
    const text = `${filler.repeat(3)}\n${sentence} It is said here.\n${option}`;
    expect(of(text, 'server clients write fox').text).toMatch(/It is said here\.$/);
  });

  it('shows that a long sentence is cut', () => {
    const found = of(`${'word '.repeat(200)}needle ${'other '.repeat(200)}`, 'needle');
    expect(found.text).toMatch(/^…word .*needle.* other…$/);
    expect(marked(found)).toEqual(['needle']);
  });

  it('is the beginning of the text if no word matches', () => {
    const found = of(filler.repeat(20), 'submarine');
    expect(found.text.startsWith('The quick brown fox')).toBe(true);
    expect(found.highlights).toEqual([]);
  });

  it('does not mark question words', () => {
    expect(marked(of('How do you do it? Reset it.', 'how do I reset it'))).toEqual(['Reset']);
  });

  it('marks an identifier once, and adjacent pairs of characters as one range', () => {
    expect(marked(of('Run pg_dump now.', 'pg_dump'))).toEqual(['pg_dump']);
    expect(marked(of('これは全文検索エンジンです。', '全文検索', 'ja'))).toEqual(['全文検索']);
  });

  it('ends at the end of a Japanese sentence', () => {
    const found = of(
      `${'これは長い文章です。'.repeat(40)}全文検索を使います。${'これは長い文章です。'.repeat(40)}`,
      '全文検索',
      'ja',
    );
    expect(found.text.startsWith('全文検索を使います。')).toBe(true);
    expect(found.text.endsWith('。')).toBe(true);
  });

  it('is empty for an empty text', () => {
    expect(of(' \n ', 'anything')).toEqual({ text: '', highlights: [], line: 0 });
  });

  it('has at most 320 well-formed characters with ordered marks for any text', () => {
    const anyText = fc
      .array(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 80 }),
          fc.constantFrom('needle', '. ', '\n', '😀', '検索', filler),
        ),
        {
          maxLength: 30,
        },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(anyText, (text) => {
        const { text: shown, highlights } = of(text, 'needle 検索 fox');
        expect(shown.length).toBeLessThanOrEqual(MAX_SNIPPET_LENGTH);
        expect(shown.isWellFormed()).toBe(true);
        let last = -1;
        for (const [start, end] of highlights) {
          expect(start).toBeGreaterThan(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(shown.length);
          last = end;
        }
      }),
    );
  });

  it.each([
    ['one hit after another', 'needle '.repeat(150_000)],
    ['one sentence after another', 'a. '.repeat(300_000)],
    ['blanks', ' \n'.repeat(500_000)],
    ['pairs without a blank', '😀'.repeat(500_000)],
  ])('takes little time for a megabyte of %s', (_, text) => {
    expect(of(text, 'needle').text.length).toBeLessThanOrEqual(MAX_SNIPPET_LENGTH);
  });
});
