import { expect, it } from '@jest/globals';
import type { WordQuery } from '../../../lambdas/domain/ports/index-reader.ts';
import type { SiteScope } from '../../../lambdas/domain/ports/page-index.ts';
import { typedWords } from '../../../lambdas/domain/search/query/query-words.ts';
import { NO_BOOSTS } from '../../../lambdas/domain/search/rank/boosts.ts';
import { queryTerms } from '../../../lambdas/text/words/query-terms.ts';
import { embeddedAt, newScope, queryVectorAt } from '../../support/index-entries.ts';
import { type Access, named, put, search, urls, urlsOf } from './queries.ts';

export function titles(index: Access): void {
  const weak = (n: number) => named(`weak${n}`, { title: 'Walnuts', texts: ['gopher gopher gopher, gopher'] });

  it('titles make a page a candidate whose text hardly has the words', async () => {
    const scope = newScope();
    const words = Array.from({ length: 60 }, (_, n) => `word${n}`).join(' ');
    await put(index(), scope, [
      ...Array.from({ length: 30 }, (_, n) => weak(n)),
      named('titled', { title: 'Gophers', texts: [words] }),
    ]);
    expect(urlsOf(await search(index(), scope, 'gopher', { limit: 1 }))).toContain('https://example.org/titled');
  });

  const titledAnyhow = (scope: SiteScope, text: string, { limit = 10 } = {}) =>
    index().titled({ scopes: [scope], words: typedWords(text, ['en']), limit });
  const titled = async (...query: Parameters<typeof titledAnyhow>) => {
    const { pages, withTypos } = await titledAnyhow(...query);
    const [scope] = query;
    return withTypos ? [] : pages.map(({ siteId, url, title }) => [siteId === scope.siteId, url.slice(20), title]);
  };

  it('titles are found by all of their words, those with the fewest other words first', async () => {
    const scope = newScope();
    await put(index(), newScope(), [named('foreign', { title: 'Window functions' })]);
    await put(index(), scope, [
      named('long', { title: 'Window functions of the engine', texts: ['a'] }),
      named('short', { title: 'Window functions' }),
      named('half', { title: 'Window' }),
    ]);
    const both = [
      [true, 'short', 'Window functions'],
      [true, 'long', 'Window functions of the engine'],
    ];
    expect(await titled(scope, 'windows function')).toEqual(both);
    expect(await titled(scope, 'function wind')).toEqual(both);
    expect(await titled(scope, 'win', { limit: 1 })).toEqual([[true, 'half', 'Window']]);
    expect(await titled(scope, 'win functions')).toEqual([]);
    expect(await titled(scope, 'window absent')).toEqual([]);
    expect(await titled(scope, '')).toEqual([]);
  });

  it.each([
    ['a beginning', 'advi', ['locks']],
    ['the beginning of an identifier', 'pg_adv', ['function']],
    ['a part of an identifier', 'advisory', ['locks', 'function']],
    ['a letter in any case, with an accent', 'ÉCO', ['economy']],
    ['signs of patterns', 'ad.isory', []],
    ['a later letter', 'visory', []],
  ])('titles are found by %s', async (_, text, found) => {
    const scope = await lockSite();
    expect((await titled(scope, text)).map(([, url]) => url).toSorted()).toEqual(found.toSorted());
  });

  it.each([
    ['a beginning with a letter exchanged', 'afvis', ['locks']],
    ['a beginning with two letters swapped', 'davi', ['locks']],
    ['a beginning with a letter too many', 'advvis', ['locks']],
    ['a beginning with a letter too few', 'avis', ['locks']],
    ['a whole word with a wrong letter before the last word', 'adfisory loc', ['locks']],
    ['an identifier with a wrong letter', 'pg_sdvisory_lock', ['function']],
    ['no two letters of any word', 'zz', []],
    ['two wrong letters of a beginning', 'axvix', []],
  ])('titles are found with typos by %s', async (_, text, found) => {
    const scope = await lockSite();
    const { pages, withTypos } = await titledAnyhow(scope, text);
    expect(withTypos).toBe(true);
    expect(pages.map(({ siteId, url }) => [siteId, url.slice(20)])).toEqual(found.map((url) => [scope.siteId, url]));
  });

  it('titles are found with typos only if none of any site has the words as typed', async () => {
    const [scope, other] = [newScope(), newScope()];
    await put(index(), scope, [named('wander', { title: 'Wander' }), named('wonder', { title: 'Wonder of wonders' })]);
    await put(index(), other, [named('winder', { title: 'Winder' }), named('wondrous', { title: 'Wondrous' })]);
    const found = async (text: string, scopes: readonly [SiteScope, ...SiteScope[]]) => {
      const { pages, withTypos } = await index().titled({ scopes, words: typedWords(text, ['en']), limit: 3 });
      return [withTypos, ...pages.map(({ url }) => url.slice(20)).toSorted()];
    };
    expect(await found('wonder', [scope, other])).toEqual([false, 'wonder']);
    expect(await found('wonder', [other])).toEqual([true, 'winder', 'wondrous']);
    expect(await found('wynder', [scope, other])).toEqual([true, 'wander', 'winder', 'wonder']);
  });

  async function lockSite(): Promise<SiteScope> {
    const scope = newScope();
    await put(index(), newScope(), [named('foreign', { title: 'Advisory locks' })]);
    await put(index(), scope, [
      named('locks', { title: 'Advisory locks' }),
      named('function', { title: 'pg_advisory_lock', texts: ['Advisors may look.'] }),
      named('economy', { title: 'Économie' }),
    ]);
    return scope;
  }

  it('titles are no longer found when their page is gone or has another title', async () => {
    const scope = newScope();
    await put(index(), scope, [named('a', { urlHash: 'a', title: 'Gophers' })]);
    await put(index(), scope, [named('a', { urlHash: 'a', title: 'Walnuts', revision: 2 })]);
    expect([await titled(scope, 'goph'), await titled(scope, 'waln')]).toEqual([[], [[true, 'a', 'Walnuts']]]);
    await index().remove([{ ...scope, urlHash: 'a', revision: 2 }], { visible: 'now' });
    expect(await titled(scope, 'waln')).toEqual([]);
  });
}

export function vocabulary(index: Access): void {
  async function site(): Promise<SiteScope> {
    const scope = newScope();
    await put(index(), newScope(), [{ title: 'A', texts: ['backups bactups pg_restores'] }]);
    await put(index(), scope, [
      named('p', { title: 'Backup', texts: ['postgresql makes a backup', 'a backup'] }),
      named('q', { title: 'A', texts: ['walk 12345 and pg_restore, walked backwards; max.*(x)'] }),
      named('r', { title: 'A', texts: ['another backup'] }),
    ]);
    return scope;
  }
  const lookUp = async (scope: SiteScope, word: string, find?: WordQuery['find']) => {
    const forms = queryTerms(word, ['en']).flatMap((term) => term.forms);
    const [entry] = await index().vocabulary({
      scopes: [scope],
      words: [{ word, forms, ...(find && { find }) }],
    });
    return entry;
  };

  it('the vocabulary says whether a page has a form of a word, and how many pages spell it so', async () => {
    const scope = await site();
    expect(await lookUp(scope, 'backup')).toEqual({ isKnown: true, pages: 0, found: [] });
    expect(await lookUp(scope, 'backup', 'completions')).toEqual({ isKnown: true, pages: 2, found: [] });
    expect(await lookUp(scope, 'walking')).toEqual({ isKnown: true, pages: 0, found: [] });
    expect(await lookUp(scope, 'backups', 'completions')).toEqual({ isKnown: true, pages: 0, found: [] });
    expect(await lookUp(scope, 'bactups')).toEqual({ isKnown: false, pages: 0, found: [] });
    expect(await index().vocabulary({ scopes: [scope], words: [] })).toEqual([]);
  });

  const similar: Record<string, readonly [typed: string, word: string]> = {
    'a letter exchanged': ['bactup', 'backup'],
    'a letter left out': ['backp', 'backup'],
    'a letter put in': ['baackup', 'backup'],
    'two neighbours swapped': ['bakcup', 'backup'],
    'another first letter': ['vackup', 'backup'],
    'two letters in a long word': ['postgrexqlx', 'postgresql'],
    'a letter of an identifier': ['pg_restorx', 'pg_restore'],
    'a letter of a short word': ['balk', 'walk'],
  };
  for (const [what, [typed, word]] of Object.entries(similar)) {
    it(`the vocabulary finds the words of the site that differ by ${what}`, async () => {
      const found = (await lookUp(await site(), typed, 'similar'))?.found.map((one) => one.word);
      expect(found).toContain(word);
      expect(found).not.toContain('bactups');
    });
  }

  it('the vocabulary finds nothing similar to a number, nor with two other letters in a short word', async () => {
    const scope = await site();
    expect((await lookUp(scope, '12346', 'similar'))?.found).toEqual([]);
    expect((await lookUp(scope, 'bxckxp', 'similar'))?.found).toEqual([]);
  });

  it('the vocabulary finds the longer words that begin with a word, the most frequent ones first', async () => {
    const scope = await site();
    expect((await lookUp(scope, 'back', 'completions'))?.found).toEqual([
      { word: 'backup', pages: 2 },
      { word: 'backwards', pages: 1 },
    ]);
    expect((await lookUp(scope, 'pg_', 'completions'))?.found).toEqual([{ word: 'pg_restore', pages: 1 }]);
    expect((await lookUp(scope, 'max.*', 'completions'))?.found).toEqual([]);
    expect((await lookUp(scope, 'backup', 'completions'))?.found).toEqual([]);
  });

  it('the vocabulary finds the words that begin almost so', async () => {
    const found = (await lookUp(await site(), 'bakcw', 'similarCompletions'))?.found;
    expect(found?.map(({ word }) => word)).toEqual(['backwards']);
  });

  it('the vocabulary reflects every put and removal', async () => {
    const scope = newScope();
    const [entry] = await put(index(), scope, [named('a', { title: 'A', texts: ['gopher'] })]);
    expect(await lookUp(scope, 'goph', 'completions')).toMatchObject({ found: [{ word: 'gopher', pages: 1 }] });
    await index().remove([{ ...scope, urlHash: entry?.urlHash ?? '', revision: 1 }], { visible: 'now' });
    expect(await lookUp(scope, 'goph', 'completions')).toMatchObject({ found: [] });
  });
}

export function phrases(index: Access): void {
  const site = async (): Promise<SiteScope> => {
    const scope = newScope();
    await put(index(), scope, [
      named('together', { title: 'A', texts: ['something else', 'the red gopher digs'], embedded: [embeddedAt(0)] }),
      named('turned', { title: 'A', texts: ['a gopher red with anger'] }),
      named('apart', { title: 'A', texts: ['a red and a gopher'] }),
      named('torn', { title: 'A', texts: ['all is red', 'gopher'] }),
      named('title', { title: 'Red gophers', texts: ['of them'], embedded: [embeddedAt(0)] }),
    ]);
    return scope;
  };
  const phrase = (...words: readonly string[]) => words.map((word) => [word]);

  it('phrases are adjacent words of one chunk, which includes the title', async () => {
    const scope = await site();
    const found = await search(index(), scope, 'gopher', { requiredPhrases: [phrase('red', 'gopher')] });
    expect(urlsOf(found)).toEqual(urls('title', 'together'));
  });

  it('phrases may be a single word', async () => {
    const scope = await site();
    expect(urlsOf(await search(index(), scope, 'gopher', { requiredPhrases: [phrase('dig')] }))).toEqual(
      urls('together'),
    );
    expect(urlsOf(await search(index(), scope, 'gopher', { requiredPhrases: [phrase('nowhere')] }))).toEqual([]);
  });

  it('phrases match any of the alternative terms of a word', async () => {
    const scope = await site();
    const wanted = {
      requiredPhrases: [
        [
          ['blue', 'red'],
          ['walnut', 'gopher'],
          ['digs', 'dig'],
        ],
      ],
    };
    expect(urlsOf(await search(index(), scope, 'gopher', wanted))).toEqual(urls('together'));
  });

  it('phrases are all required, each in any chunk', async () => {
    const scope = await site();
    const both = { requiredPhrases: [phrase('all', 'is', 'red'), phrase('gopher')] };
    expect(urlsOf(await search(index(), scope, 'gopher', both))).toEqual(urls('torn'));
  });

  it('phrases exclude the pages with one of the excluded phrases', async () => {
    const scope = await site();
    const found = await search(index(), scope, 'gopher', {
      excludedPhrases: [phrase('red', 'gopher'), phrase('anger')],
    });
    expect(urlsOf(found)).toEqual(urls('apart', 'torn'));
  });

  it('phrases apply to candidates by vector and to boosted pages too', async () => {
    const scope = await site();
    const near = { vector: queryVectorAt(0) };
    expect(urlsOf(await search(index(), scope, 'unknown', { ...near, requiredPhrases: [phrase('dig')] }))).toEqual(
      urls('together'),
    );
    expect(urlsOf(await search(index(), scope, 'unknown', { ...near, excludedPhrases: [phrase('dig')] }))).toEqual(
      urls('title'),
    );
    const boosts = { ...NO_BOOSTS, tagBoosts: [{ tag: 'none', boost: 0.5 }] };
    expect(urlsOf(await search(index(), scope, 'gopher', { boosts, excludedPhrases: [phrase('red')] }))).toEqual([]);
  });

  it('phrases match identifiers as a whole and by their parts', async () => {
    const scope = newScope();
    await put(index(), scope, [
      named('whole', { title: 'A', texts: ['call pg_dump now'] }),
      named('parts', { title: 'A', texts: ['call pg dump now'] }),
    ]);
    const calling = async (...words: readonly string[]) =>
      urlsOf(await search(index(), scope, 'call', { requiredPhrases: [phrase('call', ...words, 'now')] }));
    expect([await calling('pg_dump'), await calling('pg', 'dump'), await calling('pg')]).toEqual([
      urls('whole'),
      urls('parts'),
      urls('whole'),
    ]);
  });

  it('phrases do not change the statistics', async () => {
    const scope = await site();
    const found = await search(index(), scope, 'gopher', {
      requiredPhrases: [phrase('dig')],
      excludedPhrases: [phrase('anger')],
    });
    expect(found.statistics.get(scope.siteId)).toMatchObject({ chunks: 7, documentFrequency: [5] });
  });
}
