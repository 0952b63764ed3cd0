import { describe, expect, it } from '@jest/globals';
import { builtinEmbedder } from '../../../lambdas/connectors/embedder/builtin.ts';
import { MIN_SUPPORT, supportEvidence, supportOf } from '../../../lambdas/domain/answers/support.ts';
import { processorTime } from '../../support/processor-time.ts';

const embedder = builtinEmbedder();
const PASSAGE = {
  en: 'Prices\nThe team plan costs 1,000 euros a year. Prices do not include taxes. Refunds are paid within two weeks.',
  de: 'Preise\nDer Tarif für Teams kostet 40 Euro im Monat. Die Preise enthalten keine Steuern.',
};

async function supported(sentence: string, language: keyof typeof PASSAGE = 'en'): Promise<boolean> {
  const source = {
    url: '',
    title: '',
    relevance: 1,
    text: '',
    version: '',
    parts: [],
    headed: PASSAGE[language],
    language,
  };
  const support = await supportOf(sentence, await supportEvidence(source, embedder), embedder);
  return (support ?? 0) >= MIN_SUPPORT;
}

describe('a passage', () => {
  it.each([
    'The team plan costs 1,000 euros a year.',
    'You pay 1000 euros a year for the team plan.',
    'Taxes are not included in the prices.',
  ])('bears what it says in these or similar words: %s', async (sentence) => {
    expect(await supported(sentence)).toBe(true);
  });

  it.each([
    'The team plan costs 900 euros a year.',
    'The team plan does not cost 1,000 euros a year.',
    'Prices include taxes.',
    'The founders met in a bakery in Lisbon.',
    'The team plan costs 1,000 euros a year at evil.example/pay.',
    'The team plan costs 1,000 euros a year, see \u0435vil.\u0441om.',
    'The team plan costs 1,000 euros a year, write to thief@evil\u3002example.',
    'The team plan costs 1,000 euros a year at https:\\\\evil.example.',
    'Yes.',
  ])('does not bear what it does not say: %s', async (sentence) => {
    expect(await supported(sentence)).toBe(false);
  });

  it('bears sentences of other languages by their own words', async () => {
    expect(await supported('Der Tarif für Teams kostet 40 Euro im Monat.', 'de')).toBe(true);
    expect(await supported('Der Tarif für Teams kostet 45 Euro im Monat.', 'de')).toBe(false);
    expect(await supported('Die Preise enthalten Steuern.', 'de')).toBe(false);
  });

  it.each([
    ['letters', 'a'],
    ['labels of a host', 'a.1'],
  ])('is read in time that grows with its length: a run of %s', async (_, part) => {
    const spent = processorTime();
    expect(await supported(part.repeat(40_000 / part.length))).toBe(false);
    expect(spent()).toBeLessThan(1000);
  });
});
