import { describe, expect, it } from '@jest/globals';
import { questionCoverage } from '../../../lambdas/domain/answers/question-coverage.ts';

const passage = (text: string, language = 'en') => ({
  siteId: 's',
  urlHash: 'h',
  url: '',
  title: '',
  language,
  revision: 1,
  ord: 0,
  headings: [],
  text,
  score: 0.3,
  parts: [],
});

describe('sentenceShare', () => {
  it('words of a question are counted in the sentence that has most of them', () => {
    const text = 'Lamps burn oil. The harbour is closed in winter. A lamp in the harbour burns in winter.';
    expect(questionCoverage('Which lamp burns in the harbour in winter?', [passage(text)])).toBe(1);
    expect(questionCoverage('Which lamps and ships burn?', [passage(text)])).toBeCloseTo(2 / 3);
  });

  it('words of a question count as one sentence has them, not several together', () => {
    const text = 'Lamps are bright.\nThe harbour is closed.\nIt is winter.';
    expect(questionCoverage('Which lamp burns in the harbour in winter?', [passage(text)])).toBe(0.25);
  });

  it('words of a question are stemmed in the language of the passage', () => {
    expect(questionCoverage('Welche Lampen sind in den Booten?', [passage('Eine Lampe ist im Boot.', 'de')])).toBe(1);
  });

  it('the share of a question is 0 without passages or words', () => {
    expect(questionCoverage('Which lamp?', [])).toBe(0);
    expect(questionCoverage('???', [passage('Lamps burn oil.')])).toBe(0);
  });
});
