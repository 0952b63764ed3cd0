import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { lettersKept, stem } from '../../../lambdas/text/words/stemmer.ts';

const LANGUAGES = 'ar bg da de el en es fi fr hu id it nb nl nn no pt ro ru sv tr uk'.split(' ');
const syllables = fc.constantFrom(
  ...'a e i o u y b d g k l m n p r s t w z me pe ber ter en er ing ed ies ion es'.split(' '),
);
const words = fc.array(syllables, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));

describe('stem', () => {
  it.each(LANGUAGES)('shares the promised first letters with its word in %s', (language) => {
    const beginning = (word: string, letters: number) =>
      word.slice(0, Math.min(letters, lettersKept(language))).replace(/(?<=^.)y/, 'i');
    fc.assert(
      fc.property(words, (word) => {
        const found = stem(word, language);
        expect(beginning(found, 2)).toBe(beginning(word, found.length));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['id', 'membaca', 'baca'],
    ['tr', 'aba', 'ap'],
    ['fi', 'bbu', 'bu'],
    ['en', 'dying', 'die'],
  ])('may begin differently: in %s %s becomes %s', (language, word, found) => {
    expect(stem(word, language)).toBe(found);
  });

  it.each([
    ['häuser', 'haus'],
    ['öffnungszeit', 'oeffnungszeiten'],
    ['gebühren', 'gebuehr'],
    ['brücke', 'bruecken'],
    ['löschen', 'loeschen'],
    ['lehrerin', 'lehrerinnen'],
    ['kundin', 'kundinnen'],
    ['video', 'videos'],
    ['handy', 'handys'],
    ['museum', 'museen'],
    ['zentrum', 'zentren'],
    ['konto', 'konten'],
    ['risiko', 'risiken'],
    ['firma', 'firmen'],
    ['arbeits', 'arbeit'],
    ['kostenlos', 'kostenlose'],
  ])('is the same for the German words %s and %s', (one, other) => {
    expect(stem(one, 'de')).toBe(stem(other, 'de'));
  });

  it.each([
    ['gewinnen', 'gewinn'],
    ['beginnen', 'beginn'],
    ['steuer', 'steuern'],
    ['bauer', 'bauern'],
    ['neue', 'neuen'],
    ['raum', 'raums'],
    ['eigentum', 'eigentums'],
    ['status', 'status'],
  ])('is still the same for the German words %s and %s', (one, other) => {
    expect(stem(one, 'de')).toBe(stem(other, 'de'));
  });

  it.each([
    ['fr', 'sécurité', 'securite'],
    ['fr', 'données', 'donnees'],
    ['fr', 'première', 'premieres'],
    ['fr', 'accès', 'acces'],
    ['es', 'categoría', 'categorias'],
    ['es', 'tecnología', 'tecnologia'],
    ['it', 'qualità', 'qualita'],
    ['pt', 'disponível', 'disponivel'],
    ['pt', 'referência', 'referencias'],
    ['pt', 'necessário', 'necessaria'],
  ])('is the same in %s for %s and for %s without accents', (language, word, other) => {
    expect(stem(other, language)).toBe(stem(word, language));
  });

  it.each([
    ['fr', 'visite', 'visiter'],
    ['fr', 'site', 'sites'],
    ['es', 'necesaria', 'necesarias'],
    ['es', 'historia', 'historias'],
    ['it', 'definita', 'definito'],
    ['it', 'vita', 'vite'],
    ['pt', 'padaria', 'padarias'],
  ])('is still the same in %s for %s and %s', (language, one, other) => {
    expect(stem(one, language)).toBe(stem(other, language));
  });

  it.each(['dime', 'time', 'bime', 'de'])('keeps the Turkish word %s, of which one letter would be left', (word) => {
    expect(stem(word, 'tr')).toBe(word);
  });
});
