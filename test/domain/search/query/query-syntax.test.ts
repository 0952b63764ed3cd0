import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseQuery, stemmedPhrases } from '../../../../lambdas/domain/search/query/query-syntax.ts';

describe('the words beside phrases', () => {
  it.each([
    ['"vacuum full" on windows', 'on windows'],
    ['windows "vacuum full" -linux now', 'windows now'],
    ['"vacuum full"', ''],
    ['no phrase', 'no phrase'],
  ])('of %s are "%s"', (query, beside) => {
    expect(parseQuery(query).beside).toBe(beside);
  });
});

describe('parseQuery', () => {
  it.each([
    ['"reset password" page', 'reset password page', ['reset password']],
    ['“reset password” page', 'reset password page', ['reset password']],
    ['„Passwort setzen“', 'Passwort setzen', ['Passwort setzen']],
    ['« mot de passe »', 'mot de passe', [' mot de passe ']],
    ['如何“重置密码”', '如何 重置密码', ['重置密码']],
    ['「全文検索」の使い方', '全文検索 の使い方', ['全文検索']],
    ['『設定』', '設定', ['設定']],
    ['＂full width＂', 'full width', ['full width']],
    ['("in brackets")', '( in brackets )', ['in brackets']],
    ['"a" "b"', 'a b', ['a', 'b']],
  ])('reads the quoted text in %s as a phrase', (query, text, phrases) => {
    expect(parseQuery(query)).toMatchObject({ text, phrases, without: [] });
  });

  it.each([
    ['apple -banana', 'apple', ['banana']],
    ['-banana apple', 'apple', ['banana']],
    ['apple -"red banana" pie', 'apple pie', ['red banana']],
    ['apple -«red banana»', 'apple', ['red banana']],
    ['apple -well-known', 'apple', ['well-known']],
    ['-banana', '', ['banana']],
    ['-"red banana" -2024', '', ['red banana', '2024']],
  ])('leaves out the exclusions of %s', (query, text, without) => {
    expect(parseQuery(query)).toMatchObject({ text, phrases: [], without });
  });

  it.each([
    'pg_restore --jobs 4',
    'well-known ports',
    'tar -x',
    'a - b',
    '-',
    '--',
    'e-mail',
    'minus -5',
    'ls -',
    '"unbalanced quote',
    'unbalanced" quote',
    'a 3" nail and a 5" nail',
    '“open',
    'close”',
    "it's 'single'",
    'x-"y"',
  ])('leaves %s unchanged', (query) => {
    const { text, phrases, without } = parseQuery(query);
    expect([phrases.filter((phrase) => phrase !== 'y'), without]).toEqual([[], []]);
    expect(text.replace(/[\s"]+/g, '')).toBe(query.replace(/[\s"]+/g, ''));
  });

  it('reads an empty or blank query as empty', () => {
    expect([parseQuery(''), parseQuery('  ')]).toEqual([
      { text: '', beside: '', phrases: [], without: [] },
      { text: '', beside: '', phrases: [], without: [] },
    ]);
  });

  it('loses no letter of any query', () => {
    const parts = fc.constantFrom('"', '“', '”', '„', '«', '»', '「', '」', '-', ' ', '--', 'ab', 'c', '検', '😀');
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 40 }), (list) => {
        const query = list.join('');
        const { text, without } = parseQuery(query);
        const letters = (written: string) => written.match(/[abc検]/g)?.length ?? 0;
        expect(letters(text) + letters(without.join(''))).toBe(letters(query));
      }),
    );
  });

  it.each(['"', '“', '「', '-', '-"', ' -"', '"-', '«»', '-a', ' -aa'])(
    'is done at once with a long query of %j',
    (part) => {
      expect(parseQuery(part.repeat(100_000)).text.length).toBeLessThanOrEqual(600_000);
    },
  );
});

describe('stemmedPhrases', () => {
  it('has the stems of each word in every language', () => {
    expect(stemmedPhrases(['running backups'], ['en', 'de', ''])).toEqual([
      [
        ['run', 'running'],
        ['backup', 'backups'],
      ].map((forms) => expect.arrayContaining(forms)),
    ]);
  });

  it('keeps identifiers whole', () => {
    expect(stemmedPhrases(['pg_dump --jobs'], ['en'])).toEqual([[['pg_dump'], ['--jobs']]]);
    expect(stemmedPhrases(['well-known'], ['en'])).toEqual([[['wellknown']]]);
  });

  it('reads pairs of Japanese characters as adjacent words', () => {
    expect(stemmedPhrases(['全文検索'], ['ja'])).toEqual([[['全文'], ['文検'], ['検索']]]);
  });

  it('has at most eight phrases of at most sixteen words, none without a word', () => {
    expect(stemmedPhrases(['', ' - ', '?'], ['en'])).toEqual([]);
    expect(stemmedPhrases(Array(20).fill('word'), [])).toHaveLength(8);
    expect(stemmedPhrases(['word '.repeat(1000)], [])[0]).toHaveLength(16);
  });
});
