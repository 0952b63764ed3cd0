import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { indexedTerms, terms, termsAmong, termsByPosition } from '../../../lambdas/text/words/terms.ts';

const shown = (text: string, language = 'en'): string =>
  terms(text, language)
    .map(({ term, position }) => `${position}:${term}`)
    .join(' ');

describe('terms', () => {
  it.each([
    ['pg_dump runs', '0:pg_dump 0:pg 0:dump 1:run'],
    ['with --jobs=4', '0:with 1:--jobs 1:job 2:4'],
    ['HTTP/2 and C++', '0:http/2 0:http 0:2 1:and 2:c++ 2:c'],
    ['C# or F#.', '0:c# 0:c 1:or 2:f# 2:f'],
    ['max_connections', '0:max_connections 0:max 0:connect'],
    ['version 15.2.', '0:version 1:15.2 1:15 1:2'],
    ['__init__ and .NET', '0:__init__ 0:init 1:and 2:.net 2:net'],
    ['maxConnections', '0:maxconnect 0:max 0:connect'],
    ['JavaScript', '0:javascript'],
    ['e-mail', '0:email 0:e 0:mail'],
    ['a word--another - and', '0:a 1:word 2:anoth 3:and'],
    ["The user's libraries don't", '0:the 1:user 2:librari 3:dont'],
  ])('splits "%s" into %s', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each([
    ['Größe der Häuser', 'de', '0:gross 1:der 2:haus'],
    ['configuración configuracion configuraciones', 'es', '0:configur 1:configur 2:configur'],
    ['configuração configuracao configurações', 'pt-BR', '0:configur 1:configur 2:configur'],
    ["l'avion", 'fr', '0:l 1:avion'],
    ['İSTANBUL ışık IŞIK', 'tr', '0:istanbul 1:isik 2:isik'],
    ['книги книгами ёлка', 'ru', '0:книг 1:книг 2:елк'],
    ['全文検索 Node入門 本', 'ja', '0:全文 1:文検 2:検索 3:node 4:入門 5:本'],
    ['데이터 연결', 'ko', '0:데이 1:이터 2:연결'],
    ['ｆｕｌｌ ﬁle soft\u00adhyphen ﷺ', '', '0:full 1:file 2:softhyphen 3:صلىاللهعليهوسلم'],
    ['libraries', '', '0:libraries'],
    ['libraries', 'en_GB', '0:librari'],
    ['libraries', '../../x', '0:libraries'],
  ])('splits "%s" in "%s" into %s', (text, language, expected) => {
    expect(shown(text, language)).toBe(expected);
  });

  it('has the offsets of each word', () => {
    const text = 'Über pg_dump: 検索';
    const slices = terms(text, 'de').map(({ start, end }) => text.slice(start, end));
    expect(slices).toEqual(['Über', 'pg_dump', 'pg', 'dump', '検索']);
  });

  it('treats the parts of an overlong identifier as words', () => {
    expect(shown('/a/b/c/d/e/f/g/h/i')).toBe('0:a 1:b 2:c 3:d 4:e 5:f 6:g 7:h 8:i');
  });

  it('returns ordered terms of 1 to 64 characters without white space for any text and language', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 300 });
    fc.assert(
      fc.property(anyText, fc.constantFrom('', 'en', 'de', 'tr', 'ru', 'ar', 'el', 'hu', 'ja'), (text, language) => {
        let last = -1;
        for (const { term, start, end, position } of terms(text, language)) {
          expect(term).toMatch(/^\S{1,64}$/);
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(position === last || position === last + 1).toBe(true);
          last = position;
        }
      }),
    );
  });

  it('are the same by position', () => {
    fc.assert(
      fc.property(fc.lorem({ mode: 'sentences' }), fc.constantFrom('', 'en', 'de'), (sentences, language) => {
        const written = `${sentences} pg_dump --jobs ${sentences}`;
        const byPosition = termsByPosition(written, language);
        const found = byPosition.flatMap((beside, position) => beside.map((term) => ({ term, position })));
        expect(found).toEqual(terms(written, language).map(({ term, position }) => ({ term, position })));
      }),
    );
  });

  it.each([
    ['stat.FILE_ATTRIBUTE_HIDDEN', 'file_attribute_hidden'],
    ['os.path.join', 'path.join'],
    ['std::vector::push_back', 'vector::push_back push_back'],
    ['Model.objects.get_or_create()', 'objects.get_or_create get_or_create'],
    ['os.remove', ''],
    ['version 15.2.1_rc', ''],
    ['half-open/read_only', ''],
  ])('have the ends of dotted identifiers where they are indexed: %s', (text, ends) => {
    const added = indexedTerms(text, '').terms.map((all, i) => all.slice(termsByPosition(text, '')[i]?.length));
    expect(added.flat().join(' ')).toBe(ends);
  });

  it('folds case and accents', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zéüñçåž]{1,12}$/), (word) => {
        const [plain] = terms(word.normalize('NFD').replace(/\p{M}/gu, ''), '');
        expect(terms(word.toUpperCase(), '')[0]?.term).toBe(plain?.term);
        expect(terms(word.normalize('NFD'), '')[0]?.term).toBe(plain?.term);
      }),
    );
  });

  it.each([
    ['one letter with 300,000 marks', `a${'\u0301'.repeat(300_000)}`, 1],
    ['300,000 marks', '\u0301'.repeat(300_000), 0],
    ['a megabyte without a blank', 'a'.repeat(1_000_000), 1],
    ['a megabyte of underlines', `a${'_'.repeat(1_000_000)}`, 2],
    ['a megabyte of hyphens', '-'.repeat(1_000_000), 0],
    ['a word of 100,000 humps', `ab${'Cd'.repeat(100_000)}`, 1],
    ['an address of 100,000 steps', 'a/'.repeat(100_000), 100_000],
    ['a run of 100,000 characters', '検'.repeat(100_000), 99_999],
  ])('takes little time for %s', (_, text, count) => {
    expect(terms(text, 'en')).toHaveLength(count);
  });
});

describe('termsAmong', () => {
  const offsets = (found: readonly Pick<ReturnType<typeof terms>[number], 'term' | 'start' | 'end'>[]) =>
    found.map(({ term, start, end }) => `${term} ${start}-${end}`);

  it('are the wanted ones of all terms, for any text and language', () => {
    const word = fc.constantFrom(
      'pg_dump',
      'maxSize',
      '.NET',
      'Über',
      'ÉTÉ',
      "l'été",
      'C++',
      'İzmir',
      '検索',
      'menulis',
      'Dying',
    );
    const letters = fc.string({ unit: fc.constantFrom(...'abcAByYzé09_-.\'"/ \n\u00a0'), maxLength: 12 });
    const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), letters, word);
    const texts = fc.array(anyText, { maxLength: 12 }).map((pieces) => pieces.join(' '));
    const languages = fc.constantFrom('', 'en', 'de', 'tr', 'ru', 'ar', 'el', 'hu', 'id', 'fi', 'fr', 'ja');
    fc.assert(
      fc.property(texts, languages, fc.integer({ min: 1, max: 5 }), (text, language, every) => {
        const all = terms(text, language);
        const wanted = new Set(all.filter((_, i) => i % every === 0).map(({ term }) => term));
        const expected = all.filter(({ term }) => wanted.has(term));
        expect(offsets(termsAmong(wanted)(text, language))).toEqual(offsets(expected));
      }),
      { numRuns: 300 },
    );
  });

  it('are found if only a part of a word begins like a term', () => {
    const text = 'run (pg_dump) or maxConnections';
    const found = termsAmong(new Set(['dump', 'connect']))(text, 'en');
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(['dump', 'Connections']);
  });
});
