import { describe, expect, it } from '@jest/globals';
import { mergedQuestion } from '../../../lambdas/domain/answers/follow-up.ts';
import type { Turn } from '../../../lambdas/domain/answers/session.ts';

/** The questions of a conversation as they are understood, each merged with those before it. */
function understood(...questions: readonly string[]): readonly string[] {
  const turns: Turn[] = [];
  for (const [i, question] of questions.entries())
    turns.push({ question, standalone: i === 0 ? question : mergedQuestion(question, turns), answer: '' });
  return turns.map(({ standalone }) => standalone);
}

describe('a follow-up without a model', () => {
  it('is merged with the question that it follows and with the previous one', () => {
    const questions = understood('How do I install it?', 'And on Windows?', 'And on Linux?', 'And on a Mac?');
    expect(questions).toEqual([
      'How do I install it?',
      'How do I install it? And on Windows?',
      'How do I install it? And on Windows? And on Linux?',
      'How do I install it? And on Linux? And on a Mac?',
    ]);
  });

  it('does not grow when it is asked again', () => {
    const questions = understood('How do I install it?', ...Array.from({ length: 9 }, () => 'And on Windows?'));
    expect(questions.at(-1)).toBe('How do I install it? And on Windows?');
  });

  it('follows a question that a model has rewritten', () => {
    const turns = [{ question: 'And the price?', standalone: 'What does the team plan cost?', answer: '' }];
    expect(mergedQuestion('With taxes?', turns)).toBe('What does the team plan cost? With taxes?');
  });
});
