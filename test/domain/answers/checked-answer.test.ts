import { expect, it } from '@jest/globals';
import { builtinEmbedder } from '../../../lambdas/connectors/embedder/builtin.ts';
import { AnswerPieces } from '../../../lambdas/domain/answers/answer-pieces.ts';
import { CitationCheck } from '../../../lambdas/domain/answers/checked-answer.ts';

it('makes no link of a citation and the next sentence', async () => {
  const text = '料金は年間千ユーロです。(evil.example/reset) is where prices are changed.';
  const source = { url: '', title: '', relevance: 1, text, version: '', parts: [], headed: text, language: 'ja' };
  const check = new CitationCheck([source], builtinEmbedder());
  const pieces = new AnswerPieces();
  const answer = await Promise.all([...pieces.add(text), ...pieces.end()].map((piece) => check.checked(piece)));
  expect(answer.join('')).toBe('料金は年間千ユーロです。 [1] (evil.example/reset) is where prices are changed. [1]');
});
