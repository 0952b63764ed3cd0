import { describe, expect, it } from '@jest/globals';
import { sentencesOf } from '../../../lambdas/text/words/sentences.ts';

describe('the sentences of a text', () => {
  it.each([
    ['Chinese', ['他说：“灯亮了。”', '船来了！', '谁在？']],
    ['Japanese', ['「灯がついた。」', '船が来た。']],
  ])('sentences follow each other without a blank: %s', (_, sentences) =>
    expect(sentencesOf(sentences.join(''))).toEqual(sentences),
  );

  it.each([
    ['Hindi', ['भारत एक देश है।', 'यह बड़ा है।']],
    ['Arabic', ['هل هذا صحيح؟', 'نعم هذا صحيح.', 'انتهى.']],
    ['Greek', ['Πότε χτίστηκε;', 'Το 1932.']],
    ['Russian', ['Мост построен.', 'Он длинный.']],
  ])('sentences end with the stops of their script: %s', (_, sentences) =>
    expect(sentencesOf(sentences.join(' '))).toEqual(sentences),
  );

  it.each([
    'Tesla starb am 7. Januar 1943 in New York.',
    'Das war im 19. Jahrhundert so.',
    'Sie kosten 30 Mio. Euro im Jahr.',
    'He met Dr. Smith and Mr. Jones there.',
    'It is shown in No. 3 of the list.',
    'Это стихи А. С. Пушкина.',
    'Ήταν το 300 π.Χ. Στην Αθήνα.',
  ])('a sentence does not end after an ordinal or an abbreviation: %s', (sentence) =>
    expect(sentencesOf(`${sentence} Then it rained.`)).toEqual([sentence, 'Then it rained.']),
  );

  it('a sentence ends after a number', () =>
    expect(sentencesOf('The lamp has number 12. Ships see it.')).toEqual(['The lamp has number 12.', 'Ships see it.']));

  it('sentences of Thai, which has no stops, are clauses of some length', () => {
    const clause = 'ประเทศไทยมีประชากรจำนวนมากและตั้งอยู่ในเอเชียตะวันออกเฉียงใต้ซึ่งมีกรุงเทพมหานครเป็นเมืองหลวง';
    expect(sentencesOf(`${clause} ${clause} สั้น`)).toEqual([clause, clause, 'สั้น']);
    expect(sentencesOf('มีคน 66 ล้านคน ในปี พ.ศ. 2475 และปี ค.ศ. 2010')).toHaveLength(1);
  });
});
