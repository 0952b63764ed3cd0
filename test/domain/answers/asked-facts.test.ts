import { describe, expect, it } from '@jest/globals';
import { askedFact, hasFact } from '../../../lambdas/domain/answers/asked-facts.ts';
import { ASKING } from '../../../lambdas/domain/answers/asking-words.ts';

describe('the fact that a question asks for', () => {
  it.each([
    ['en', 'How many lamps are there?', 'number'],
    ['en', 'In what year was it built?', 'time'],
    ['en', 'To whom was it sold?', 'person'],
    ['en', 'Where is the key?', 'place'],
    ['ar', 'كم عدد المصابيح؟', 'number'],
    ['de', 'Seit wann brennt die Lampe?', 'time'],
    ['el', 'Πόσοι άνθρωποι ζουν εκεί;', 'number'],
    ['es', '¿En qué año se construyó?', 'time'],
    ['fr', 'Combien de lampes y a-t-il ?', 'number'],
    ['hi', 'पुल कब बना था?', 'time'],
    ['it', 'Dove si trova la chiave?', 'place'],
    ['ja', 'この橋は何年に建てられましたか', 'time'],
    ['ko', '등불은 몇 개입니까?', 'number'],
    ['nl', 'Wie heeft de lamp gemaakt?', 'person'],
    ['pl', 'Kto zbudował most?', 'person'],
    ['pt', 'Quantas lâmpadas existem?', 'number'],
    ['ro', 'Unde se află cheia?', 'place'],
    ['ru', 'Сколько ламп на мосту?', 'number'],
    ['th', 'ใครเป็นผู้สร้างสะพาน', 'person'],
    ['tr', 'Köprü ne zaman yapıldı?', 'time'],
    ['vi', 'Cây cầu ở đâu?', 'place'],
    ['zh', '这座桥是什么时候建的？', 'time'],
  ])('a word of the language tells what is asked for (%s): %s', (language, question, fact) =>
    expect(askedFact(question, language)).toBe(fact),
  );

  it.each([
    ['en', 'What happens when the lamp smokes?'],
    ['en', 'When choosing a lamp, what should be considered?'],
    ['en', 'How do I light a lamp?'],
    ['de', 'Was passiert, wenn die Lampe raucht?'],
    ['fr', 'La lampe qui fume est-elle dangereuse ?'],
    ['xx', 'How many lamps are there?'],
  ])('other questions ask for no fact (%s): %s', (language, question) =>
    expect(askedFact(question, language)).toBeUndefined(),
  );

  it('the words of a language have no empty alternative', () => {
    for (const words of Object.values(ASKING))
      for (const list of Object.values(words)) expect(list).not.toMatch(/^\||\|$|\|\|/);
  });
});

describe('a sentence', () => {
  it.each([
    ['number', 'en', 'The harbour has 14 lamps.', true],
    ['number', 'en', 'The harbour has twelve lamps.', true],
    ['number', 'en', 'The harbour has big lamps.', false],
    ['number', 'en', '3. The harbour has big lamps.', false],
    ['number', 'en', 'The harbour was lit in 1932.', undefined],
    ['number', 'de', 'Der Hafen hat zwölf Lampen.', true],
    ['number', 'zh', '港口有十二盏灯。', true],
    ['number', 'zh', '港口有灯。', false],
    ['time', 'en', 'It was lit in 1932.', true],
    ['time', 'en', 'It was lit on a Monday in May.', true],
    ['time', 'en', 'It is lit as soon as a ship comes.', true],
    ['time', 'en', 'It has a lamp.', false],
    ['time', 'de', 'Sie brennt seit 1932.', true],
    ['time', 'hi', 'यह १९३२ में बना था।', true],
    ['time', 'tr', 'Köprü yapıldı.', undefined],
    ['person', 'en', 'It was built by Ada Lovelace.', true],
    ['person', 'en', 'The administrators built it.', true],
    ['person', 'en', 'It is a lamp of brass.', false],
    ['person', 'zh', '它是黄铜做的。', undefined],
    ['place', 'en', 'It stands near Bristol.', true],
    ['place', 'en', 'It stands on a hill.', true],
  ] as const)('a sentence has a %s or not (%s): %s', (fact, language, sentence, has) =>
    expect(hasFact(fact, sentence, 'lamps?', language)).toBe(has),
  );

  it('a fact of the question is no answer', () => {
    expect(hasFact('number', 'The lamp has 14 candles.', 'How many people use a lamp with 14 candles?', 'en')).toBe(
      false,
    );
    expect(hasFact('person', 'The lamp is of Ada Lovelace.', 'Who sold the lamp of Ada Lovelace?', 'en')).toBe(false);
  });

  it('facts are looked for in linear time', () => {
    const start = performance.now();
    for (const text of ['A'.repeat(50_000), 'Ab '.repeat(20_000), '1.'.repeat(20_000), 'a'.repeat(50_000)])
      for (const fact of ['number', 'time', 'person', 'place'] as const) hasFact(fact, text, 'who?', 'en');
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
