import { describe, expect, it } from '@jest/globals';
import { hasQuantities, merged, quantitiesOf, statedQuantities } from '../../../lambdas/domain/answers/quantities.ts';
import { processorTime } from '../../support/processor-time.ts';

const PASSAGE =
  'The team plan costs 40 euros a month for ten people, or \u20ac1,000 a year. Refunds take 14 days, and 2 weeks by ' +
  'post. Use 200 MB. Forty-five lamps burn 90% of the oil in 7 ways.';
const has = (sentence: string, passage = PASSAGE, language = 'en') =>
  hasQuantities(quantitiesOf(passage, language), statedQuantities(sentence, language));

describe('the quantities of a passage', () => {
  it.each([
    'It costs 40 euros a month for 10 people.',
    'It costs EUR 40, or \u20ac40.',
    'It costs forty euros per month for ten people.',
    'It costs 40 EUR/month or 1000 euros each year.',
    'Refunds take fourteen days, or two weeks.',
    'A 14-day refund.',
    'Use \uff12\uff10\uff10 MB, or 200 megabytes.',
    '45 lamps burn 90 percent of it.',
    'There are four ways, and one lamp.',
  ])('bear what says the same: %s', (sentence) => {
    expect(has(sentence)).toBe(true);
  });

  it.each([
    'It costs \uff14\uff15\uff10 euros.',
    'It costs \u0664\u0661 euros.',
    'It costs forty-one euros.',
    'It costs sixty euros.',
    'It costs 40 dollars.',
    'It costs $40.',
    'It costs 40% of it.',
    'It costs 40 million euros.',
    'It costs 40k euros.',
    'It costs 40\u00b2 euros.',
    'It costs 40 euros a year.',
    'It costs 1,000 euros per month.',
    'It is for twenty people.',
    'Refunds take 14 weeks.',
    'Refunds take three weeks.',
  ])('do not bear what says something else: %s', (sentence) => {
    expect(has(sentence)).toBe(false);
  });

  it('are read in other languages, and together with those of another passage', () => {
    expect(has('Er kostet 40 \u20ac.', 'Er kostet 40 Euro im Monat.', 'de')).toBe(true);
    expect(has('Er kostet 40 Euro im Jahr.', 'Er kostet 40 Euro im Monat.', 'de')).toBe(false);
    expect(has('Il co\u00fbte 40 dollars.', 'Il co\u00fbte 40 euros par mois.', 'fr')).toBe(false);
    const both = merged(quantitiesOf('40 euros', 'en'), quantitiesOf('14 days, 40 dollars', 'en'));
    expect(hasQuantities(both, statedQuantities('40 euros, $40, 14 days', 'en'))).toBe(true);
  });

  it.each(['1', '1.', '1 ', 'one ', '\u0661', 'twenty-', '$'])('are read in linear time: a run of %j', (part) => {
    const spent = processorTime();
    quantitiesOf(part.repeat(20_000), 'en');
    expect(spent()).toBeLessThan(1000);
  });
});
