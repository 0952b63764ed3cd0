import { describe, expect, it } from '@jest/globals';
import { AnswerPieces } from '../../../lambdas/domain/answers/answer-pieces.ts';
import { AnswerText } from '../../../lambdas/domain/answers/answer-text.ts';

/** The text of an answer whose pieces without the letter X are borne by the sources. */
function textOf(said: string, notes: readonly string[] = []): string {
  const pieces = new AnswerPieces();
  const answer = new AnswerText();
  const shown = [...pieces.add(said), ...pieces.end()].map((piece) =>
    answer.add(piece.text === '' || piece.text.includes('X') ? '' : piece.lead + piece.text, piece),
  );
  shown.push(answer.end(notes));
  expect(shown.join('')).toBe(answer.text);
  return answer.text;
}

describe('the text of an answer', () => {
  it.each([
    ['Run this:\n```sh\na\n```\nThen this:\n```sh\nb\n```', 'Run this:\n```sh\na\n```\nThen this:\n```sh\nb\n```'],
    ['```\nX\n```', ''],
    ['Oil.\n\nXyz. Wax.', 'Oil.\n\nWax.'],
    ['Oil. Xyz. Oil. Oil. Wax.', 'Oil. Wax.'],
    ['- \n- Oil.', '- Oil.'],
  ])('%j becomes %j', (said, text) => {
    expect(textOf(said)).toBe(text);
  });

  it('has notes only after words', () => {
    expect(textOf('Oil. Xyz.', ['Left out.'])).toBe('Oil.\n\n_Left out._');
    expect(textOf('Xyz.\n---', ['Left out.'])).toBe('');
  });
});
