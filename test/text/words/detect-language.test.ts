import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { detectLanguage } from '../../../lambdas/text/words/detect-language.ts';
import { processorTime } from '../../support/processor-time.ts';

const TEXTS = {
  en:
    'The harbour is open from dawn to dusk, and visitors are welcome to walk along the quay. If you want to ' +
    'hire a boat, please ask for the keys at the office, which is in the old lighthouse.',
  de:
    'Der Hafen ist von morgens bis abends geöffnet, und die Besucher können auf dem Kai spazieren gehen. Wer ' +
    'ein Boot mieten will, bekommt die Schlüssel in dem Büro, das sich im alten Leuchtturm befindet.',
  fr:
    'Le port est ouvert du matin au soir, et les visiteurs peuvent se promener sur le quai. Pour louer un ' +
    'bateau, demandez les clés au bureau, qui se trouve dans le vieux phare, à côté de la plage.',
  es:
    'El puerto está abierto desde la mañana hasta la noche y los visitantes pueden pasear por el muelle. Para ' +
    'alquilar un barco hay que pedir las llaves en la oficina, que está en el viejo faro.',
  it:
    'Il porto è aperto dalla mattina alla sera e i visitatori possono passeggiare sul molo. Per noleggiare una' +
    ' barca si chiedono le chiavi in ufficio, che si trova nel vecchio faro, non lontano dalla spiaggia.',
  nl:
    'De haven is van de ochtend tot de avond open en bezoekers kunnen over de kade wandelen. Wie een boot wil ' +
    'huren, moet de sleutels halen bij het kantoor, dat in de oude vuurtoren zit.',
  pt:
    'O porto está aberto da manhã até à noite e os visitantes podem passear pelo cais. Para alugar um barco é ' +
    'preciso pedir as chaves no escritório, que fica no velho farol, não longe da praia.',
};

describe('the language of a text', () => {
  it.each(Object.entries(TEXTS))('is detected by function words: %s', (language, text) => {
    expect(detectLanguage(text)).toBe(language);
    expect(detectLanguage(text.toUpperCase())).toBe(language);
    expect(detectLanguage(text.normalize('NFD'))).toBe(language);
    expect(detectLanguage(text.repeat(50))).toBe(language);
  });

  it('is detected by the beginning of a text', () => {
    expect(detectLanguage(TEXTS.en.repeat(20) + TEXTS.de.repeat(500))).toBe('en');
  });

  it.each([
    ['nothing', ''],
    ['a few words', 'The harbour is open from dawn to dusk.'],
    ['names and figures', 'Anna Berg 12.50 Otto Kern 17.20 Maria Stein 9.90 '.repeat(20)],
    ['Japanese', '港は夜明けから日暮れまで開いています。'.repeat(20)],
    ['Greek', 'Το λιμάνι είναι ανοιχτό από την αυγή μέχρι το σούρουπο. '.repeat(20)],
    ['two languages by turns', Array.from({ length: 30 }, () => 'the and of with der und von mit').join(' ')],
  ])('is undefined for %s', (_, text) => expect(detectLanguage(text)).toBeUndefined());

  it('is detected in any text without an error, and in a huge one in little time', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => void detectLanguage(text)));
    const taken = processorTime();
    for (const text of ['a'.repeat(1e6), 'e\u0301'.repeat(5e5), `a${'\u0301'.repeat(1e6)}`, ' '.repeat(1e6)])
      detectLanguage(text);
    expect(taken()).toBeLessThan(1500);
  });
});
