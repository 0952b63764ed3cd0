import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AnswerPieces } from '../../../lambdas/domain/answers/answer-pieces.ts';
import { processorTime } from '../../support/processor-time.ts';

const ANSWER =
  'The limit is 60, e.g. per minute. [1] It is raised by support [2, 3]. Use v1.2 for it.[1]\n\n1. ' +
  'Open the menu [1].\n' +
  '- Click **Save.** [^2]\n```js\nfoo();\n```\nThen leave [9].';

function piecesOf(parts: readonly string[]) {
  const pieces = new AnswerPieces();
  return [...parts.flatMap((part) => pieces.add(part)), ...pieces.end()];
}

describe('the pieces of an answer', () => {
  it('are sentences and lines, each with its citations', () => {
    expect(piecesOf([ANSWER]).map(({ lead, text, cited }) => [lead, text, ...cited])).toEqual([
      ['', 'The limit is 60, e.g. per minute.', 1],
      ['', 'It is raised by support.', 2, 3],
      ['', 'Use v1.2 for it.', 1],
      ['1. ', 'Open the menu.', 1],
      ['- ', 'Click **Save.**', 2],
      ['', '```js'],
      ['', 'foo();'],
      ['', '```'],
      ['', 'Then leave.', 9],
    ]);
  });

  it('have no citation in double brackets, and no character that is not seen', () => {
    const pieces = new AnswerPieces();
    const all = [...pieces.add('Oil b\u200burns [[2]].\u202e'), ...pieces.end()];
    expect(all).toMatchObject([{ text: 'Oil burns.', cited: [2] }]);
  });

  it.each([
    ['[[1]]', 1],
    ['[[[1]]]', 1],
    ['[1, [2]]', 1, 2],
    ['[1[2]]', 1, 2],
    ['[1-3]', 1, 3],
    ['[1 and 2]', 1, 2],
    ['[Source 1]', 1],
    ['[sources 1, 2]', 1, 2],
    ['[#1]', 1],
    ['[1000]', 1000],
    ['\\[1\\]', 1],
    ['\u30101\u3011', 1],
    ['\u30101\u2020source\u3011', 1],
    ['\uff3b1\uff3d', 1],
    ['[\uff11]', 1],
    ['[\u00b9]', 1],
    ['[\u2460]', 1],
    ['[\u0661]'],
  ])('have the citations that a model writes as %s', (written, ...cited) => {
    for (const text of [`Oil burns ${written}. It smells.`, `Oil burns. ${written} It smells.`])
      for (const parts of [[text], [...text]])
        expect(piecesOf(parts)).toMatchObject([
          { text: 'Oil burns.', cited },
          { text: 'It smells.', cited: [] },
        ]);
  });

  it('keep brackets that cite nothing', () => {
    const text = 'Oil burns. [See the page](https://www.example/) for more [sic]. It smells [a1].';
    expect(piecesOf([...text]).map((piece) => piece.text)).toEqual([
      'Oil burns.',
      '[See the page](https://www.example/) for more [sic].',
      'It smells [a1].',
    ]);
  });

  it('do not depend on how the answer arrives', () => {
    const whole = piecesOf([ANSWER]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }), (sizes) => {
        const parts: string[] = [];
        for (let at = 0, i = 0; at < ANSWER.length; i++) {
          const size = sizes[i % sizes.length] ?? 1;
          parts.push(ANSWER.slice(at, at + size));
          at += size;
        }
        expect(piecesOf(parts)).toEqual(whole);
      }),
    );
  });

  it('are cut if a sentence has no end', () => {
    expect(piecesOf(['word '.repeat(1_000)]).length).toBeGreaterThan(1);
  });

  it('cost little if a model repeats line breaks', () => {
    const time = processorTime();
    expect(piecesOf([...'Oil burns.', ...'\n'.repeat(1_900), ...'It smells.'])).toHaveLength(2);
    expect(time()).toBeLessThan(1_000);
  });

  it.each(['.["*_)', '.\u3010', '!['])(
    'cost little if a model writes %s again and again, a character at a time',
    (unit) => {
      const time = processorTime();
      piecesOf([...unit.repeat(12_000 / unit.length)]);
      expect(time()).toBeLessThan(600);
    },
  );

  it('cost little if a model repeats the parts of a citation that never ends', () => {
    const tokens = ['1', '#', 'Source ', '\u2020s', ' ', '    ', ',', ' and ', '[', '\\[', '-', '/', 'x'];
    const repeated = tokens.flatMap((one) => tokens.map((other) => (one + other).repeat(80).slice(0, 78)));
    for (const inside of repeated)
      for (const first of ['', '1']) {
        const time = processorTime();
        piecesOf([`What [${first}${inside}x]. And more.`]);
        expect([inside, time() < 50]).toEqual([inside, true]);
      }
  });
});
