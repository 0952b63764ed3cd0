import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { queryTerms } from '../../lambdas/core/language/query-terms.ts';
import { termMatches } from '../../lambdas/core/language/term-matches.ts';
import type {
  CandidateQuery,
  Candidates,
  IndexEntry,
  PageCandidate,
  PageFilter,
  PageIndex,
  SearchScope,
  SiteScope,
  WordQuery,
} from '../../lambdas/core/ports/page-index.ts';
import { type Boosts, NO_BOOSTS } from '../../lambdas/core/search/boosts.ts';
import { foundPages } from '../../lambdas/core/search/search-pages.ts';
import type { SiteRecord } from '../../lambdas/core/sites/site.ts';
import { eventually } from '../support/eventually.ts';
import {
  cosineOf,
  embeddedAt,
  indexEntry,
  newScope,
  type PageParts,
  placed,
  queryVectorAt,
} from '../support/index-entries.ts';

type Opened = { readonly pageIndex: PageIndex; close(): Promise<void> };
type Access = () => PageIndex;
const COSINE_DIGITS = 3;

/** The promises of `PageIndex`. The index may hold pages of other sites. */
export function pageIndexContract(name: string, open: () => Promise<Opened>): void {
  describe(`PageIndex on ${name}`, () => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    const index = () => opened.pageIndex;

    describe('put and remove', () => changes(index));
    describe('statistics', () => statistics(index));
    describe('candidates by words', () => byWords(index));
    describe('candidates by vector', () => byVector(index));
    describe('titles', () => titles(index));
    describe('vocabulary', () => vocabulary(index));
    describe('filters', () => filters(index));
    describe('boosts', () => boosts(index));
    describe('phrases', () => phrases(index));
    describe('several sites', () => severalSites(index));
    describe('passages', () => passages(index));
    describe('facets', () => facets(index));
    describe('find', () => finding(index));
    describe('removeBelow', () => removal(index));
  });
}

async function put(index: PageIndex, scope: SiteScope, pages: readonly PageParts[]): Promise<readonly IndexEntry[]> {
  const entries = pages.map((parts) => indexEntry(scope, parts));
  await index.put(entries, { visible: 'now' });
  return entries;
}

type QueryParts = Partial<Omit<CandidateQuery, 'scopes' | 'terms'>> & Pick<SearchScope, 'filters' | 'boosts'>;

function search(
  index: PageIndex,
  scope: SiteScope,
  query: string,
  { filters = [], boosts = NO_BOOSTS, ...parts }: QueryParts = {},
): Promise<Candidates> {
  const terms = queryTerms(query, ['en']);
  return index.candidates({
    scopes: [{ ...scope, filters, boosts }],
    terms,
    requiredPhrases: [],
    excludedPhrases: [],
    limit: 100,
    ...parts,
  });
}

const urlsOf = ({ pages }: Candidates): readonly string[] => pages.map(({ url }) => url).toSorted();

const named = (name: string, parts: PageParts): PageParts => ({ url: `https://example.org/${name}`, ...parts });
const urls = (...names: readonly string[]): readonly string[] => names.map((name) => `https://example.org/${name}`);

function only({ pages }: Candidates): PageCandidate {
  const [page, ...others] = pages;
  if (page === undefined || others.length > 0) throw new Error(`${pages.length} pages instead of one`);
  return page;
}

function changes(index: Access): void {
  it('shows a page at once after `now`, and within 5 s after `soon`', async () => {
    const scope = newScope();
    await put(index(), scope, [named('now', { texts: ['gopher'] })]);
    expect(urlsOf(await search(index(), scope, 'gopher'))).toEqual(urls('now'));
    await index().put([indexEntry(scope, named('soon', { texts: ['gopher'] }))], { visible: 'soon' });
    await eventually(
      async () => ((await search(index(), scope, 'gopher')).pages.length === 2 ? true : undefined),
      5000,
    );
  });

  it('shows after a refresh all puts and removals that were `soon`', async () => {
    const scope = newScope();
    const page = (name: string) => indexEntry(scope, named(name, { texts: ['gopher'] }));
    const gone = page('gone');
    await index().put([gone], { visible: 'now' });
    await index().put([page('a'), page('b')], { visible: 'soon' });
    await index().remove([gone], { visible: 'soon' });
    await index().refresh();
    const found = await search(index(), scope, 'gopher');
    expect(urlsOf(found)).toEqual(urls('a', 'b'));
    expect(found.statistics.get(scope.siteId)?.chunks).toBe(2);
  });

  it('replaces the whole page', async () => {
    const scope = newScope();
    const parts = { urlHash: randomUUID(), tags: ['old'], facts: ['s:a=old'], title: 'Old' };
    await put(index(), scope, [{ ...parts, texts: ['first words', 'second words'] }]);
    await put(index(), scope, [
      { ...parts, revision: 2, title: 'New', tags: ['new'], facts: [], texts: ['third words'] },
    ]);
    expect((await search(index(), scope, 'first second old')).pages).toEqual([]);
    const { tags, facts, chunks } = only(await search(index(), scope, 'words'));
    expect({ tags, facts, ords: chunks.map(({ ord }) => ord) }).toEqual({ tags: ['new'], facts: [], ords: [0] });
  });

  it('ignores an older revision, and accepts the same one again', async () => {
    const scope = newScope();
    const urlHash = randomUUID();
    await put(index(), scope, [{ urlHash, revision: 5, texts: ['newer'] }]);
    await put(index(), scope, [{ urlHash, revision: 4, texts: ['older'] }]);
    await put(index(), scope, [{ urlHash, revision: 5, texts: ['newer'] }]);
    expect((await search(index(), scope, 'older')).pages).toEqual([]);
    const found = await search(index(), scope, 'newer');
    expect([found.pages.length, found.statistics.get(scope.siteId)?.chunks]).toEqual([1, 1]);
  });

  it('removes pages unless a newer revision is indexed, and ignores absent pages', async () => {
    const scope = newScope();
    const [gone, kept] = await put(index(), scope, [
      named('gone', { revision: 3, texts: ['gopher'] }),
      named('kept', { revision: 3, texts: ['gopher'] }),
    ]);
    const ref = (entry: IndexEntry | undefined, revision: number) => ({
      ...scope,
      urlHash: entry?.urlHash ?? '',
      revision,
    });
    await index().remove([ref(gone, 3), ref(kept, 2), { ...scope, urlHash: randomUUID(), revision: 9 }], {
      visible: 'now',
    });
    expect(urlsOf(await search(index(), scope, 'gopher'))).toEqual(urls('kept'));
    await index().remove([{ ...newScope(), urlHash: randomUUID(), revision: 1 }], { visible: 'now' });
  });

  it('accepts pages with no chunk and with 1,000 chunks', async () => {
    const scope = newScope();
    const texts = Array.from({ length: 1000 }, (_, n) => (n === 777 ? 'needle' : `hay ${n}`));
    await put(index(), scope, [named('empty', {}), named('long', { texts })]);
    const found = await search(index(), scope, 'needle');
    expect(urlsOf(found)).toEqual(urls('long'));
    expect(only(found).chunks.map(({ ord }) => ord)).toContain(777);
    expect(found.statistics.get(scope.siteId)?.chunks).toBe(1000);
  });
}

function statistics(index: Access): void {
  const of = async (scope: SiteScope, query: string) =>
    (await search(index(), scope, query)).statistics.get(scope.siteId);

  it('count the chunks of the site, and those that contain a word in any of its forms', async () => {
    const scope = newScope();
    await put(index(), scope, [
      { title: 'A', texts: ['run run', 'walk', 'running walk'] },
      { title: 'A', texts: ['swim'] },
    ]);
    expect(await of(scope, 'run walk absent')).toEqual({
      chunks: 4,
      averageLength: (3 + 2 + 3 + 2) / 4,
      documentFrequency: [2, 2, 0],
    });
  });

  it('count a chunk with several forms of a word once', async () => {
    const scope = newScope();
    await put(index(), scope, [{ title: 'A', texts: ['nation national', 'national', 'other'] }]);
    const [term] = queryTerms('nation', ['en']);
    if (term === undefined) throw new Error('No term');
    const forms = ['nation', 'nat'];
    const terms = [{ ...term, forms: [...forms, ...queryTerms('national', ['en']).flatMap((other) => other.forms)] }];
    const found = await index().candidates({
      scopes: [scope],
      terms,
      requiredPhrases: [],
      excludedPhrases: [],
      limit: 10,
    });
    expect(found.statistics.get(scope.siteId)?.documentFrequency).toEqual([2]);
  });

  it('count neither other sites nor other generations', async () => {
    const [one, other] = [newScope(1), newScope(1)];
    const next = { ...one, generation: 2 };
    await put(index(), one, [{ title: 'A', texts: ['gopher', 'gopher'] }]);
    await put(index(), next, [{ title: 'A', texts: ['gopher'] }]);
    await put(index(), other, [{ title: 'A', texts: ['gopher', 'x', 'y'] }]);
    expect([await of(one, 'gopher'), await of(next, 'gopher'), await of(other, 'gopher')]).toMatchObject([
      { chunks: 2, documentFrequency: [2] },
      { chunks: 1, documentFrequency: [1] },
      { chunks: 3, documentFrequency: [1] },
    ]);
  });

  it('follow every change', async () => {
    const scope = newScope();
    const [first] = await put(index(), scope, [{ title: 'A', texts: ['gopher one', 'gopher two'] }]);
    expect(await of(scope, 'gopher')).toMatchObject({ chunks: 2, documentFrequency: [2] });
    await put(index(), scope, [{ title: 'A', texts: ['gopher'] }]);
    expect(await of(scope, 'gopher')).toMatchObject({ chunks: 3, documentFrequency: [3] });
    await index().remove([{ ...scope, urlHash: first?.urlHash ?? '', revision: 1 }], { visible: 'now' });
    expect(await of(scope, 'gopher')).toMatchObject({ chunks: 1, averageLength: 2, documentFrequency: [1] });
  });

  it('are zero for a site without pages', async () => {
    const scope = newScope();
    expect(await of(scope, 'two words')).toEqual({
      chunks: 0,
      averageLength: 0,
      documentFrequency: [0, 0],
    });
  });
}

function byWords(index: Access): void {
  it('are the pages with one of the words, each with its features', async () => {
    const scope = newScope();
    const parts = { title: 'Reset a password', tags: ['help', 'ä'], facts: ['s:kind=guide'], revision: 7 };
    const [entry] = await put(index(), scope, [
      named('a', {
        ...parts,
        texts: ['Reset your password. The password is reset.', 'Nothing of it here, email only.'],
      }),
      named('b', { title: 'Other', texts: ['Something else'] }),
    ]);
    const found = await search(index(), scope, 'reset my password email');
    const terms = queryTerms('reset my password email', ['en']);
    const page = only(found);
    expect(page).toMatchObject({
      ...scope,
      urlHash: entry?.urlHash,
      url: entry?.url,
      tags: parts.tags,
      facts: parts.facts,
      titleLength: entry?.titleLength,
      inTitle: terms.map(({ term }) => ['reset', 'password'].includes(term)),
    });
    expect(page.chunks.length).toBeGreaterThan(0);
    for (const { ord, ...features } of page.chunks) {
      const own = placed(entry?.chunks[ord]?.terms);
      const labelLengths = terms.map(() => 0);
      expect(features).toEqual({ length: own.length, labelLengths, linkShare: 0, ...termMatches(terms, own) });
    }
  });

  it('have the shortest label of each word, by any of its forms, and the share of link text', async () => {
    const scope = newScope();
    const said = 'is explained here, in a line of its own that has more than sixty characters.';
    await put(index(), scope, [
      named('a', {
        title: 'A gopher',
        texts: [`gopher walnut tree: ${said}\nthe walnuts: ${said}\nmax_size = ${said}`, 'gopher'],
        linkShares: [0.37, 1],
      }),
    ]);
    const query = 'gopher walnut how max_size absent explained';
    const { chunks } = only(await search(index(), scope, query, { vector: queryVectorAt(0) }));
    const lengths = [[3, 1, 0, 2, 2, 2, 0, 0], queryTerms(query, ['en']).map(() => 0)];
    expect(chunks.length).toBeGreaterThan(0);
    for (const { ord, labelLengths, linkShare } of chunks) {
      expect(labelLengths).toEqual(lengths[ord]);
      expect(linkShare).toBeCloseTo([0.37, 1][ord] ?? 0, 2);
    }
  });

  it('count a word up to 255 times', async () => {
    const scope = newScope();
    await put(index(), scope, [{ title: 'A', texts: ['gopher '.repeat(200), 'gopher '.repeat(300)] }]);
    const { chunks } = only(await search(index(), scope, 'gopher'));
    for (const { ord, frequencies } of chunks) expect(frequencies).toEqual([ord === 0 ? 200 : 255]);
  });

  const odd = [
    'pg_dump',
    'C++',
    'c#',
    '--jobs',
    'HTTP/2',
    'it\'s "quoted"',
    'AND',
    'NEAR',
    'ünïcödé',
    '東京都',
    '한국어',
    'é',
    'maxSize',
  ];
  for (const word of odd) {
    it(`include the page with ${word}, counted once`, async () => {
      const scope = newScope();
      await put(index(), scope, [
        named('with', { title: 'A', texts: [`before ${word} after`] }),
        named('without', { title: 'A', texts: ['before after'] }),
      ]);
      const terms = queryTerms(word, ['en']);
      const found = await search(index(), scope, word);
      expect(urlsOf(found)).toEqual(terms.length > 0 ? urls('with') : []);
      expect(only(found).chunks[0]?.frequencies).toEqual(terms.map(() => 1));
    });
  }

  it('are none for question words alone, which count in pages that have other words', async () => {
    const scope = newScope();
    await put(index(), scope, [
      named('answer', { title: 'A', texts: ['how the gopher digs'] }),
      named('question', { title: 'A', texts: ['how the'] }),
    ]);
    const terms = queryTerms('how gopher', ['en']);
    expect(terms.map(({ question }) => question)).toEqual([true, false]);
    const found = await search(index(), scope, 'how gopher');
    expect(urlsOf(found)).toEqual(urls('answer'));
    expect(only(found)).toMatchObject({ chunks: [{ frequencies: [1, 1] }] });
    expect(found.statistics.get(scope.siteId)?.documentFrequency).toEqual([2, 1]);
  });

  it('are the best ones up to the limit', async () => {
    const scope = newScope();
    await put(
      index(),
      scope,
      Array.from({ length: 12 }, (_, n) =>
        named(`weak${n}`, { title: 'A', texts: ['gopher and much else that is of no use at all'] }),
      ),
    );
    await put(
      index(),
      scope,
      [0, 1, 2].map((n) => named(`strong${n}`, { title: 'A', texts: ['gopher gopher gopher'] })),
    );
    const few = await search(index(), scope, 'gopher', { limit: 3 });
    expect(urlsOf(few)).toEqual(urls('strong0', 'strong1', 'strong2'));
    expect((await search(index(), scope, 'gopher', { limit: 15 })).pages).toHaveLength(15);
  });

  it('are pages up to the limit, however many chunks of one page match', async () => {
    const scope = newScope();
    await put(index(), scope, [
      named('long', { title: 'A', texts: Array.from({ length: 60 }, () => 'gopher gopher') }),
    ]);
    await put(
      index(),
      scope,
      Array.from({ length: 8 }, (_, n) => named(`p${n}`, { title: 'A', texts: ['gopher and more'] })),
    );
    expect((await search(index(), scope, 'gopher', { limit: 5 })).pages).toHaveLength(5);
  });

  it('never include a page of another site or generation', async () => {
    const scope = newScope(2);
    await put(index(), { ...scope, generation: 1 }, [named('old', { texts: ['gopher'], embedded: [embeddedAt(0)] })]);
    await put(index(), newScope(2), [named('foreign', { texts: ['gopher'], embedded: [embeddedAt(0)] })]);
    await put(index(), scope, [named('own', { texts: ['gopher'], embedded: [embeddedAt(0)] })]);
    expect(urlsOf(await search(index(), scope, 'gopher', { vector: queryVectorAt(0) }))).toEqual(urls('own'));
  });
}

function byVector(index: Access): void {
  it('are the nearest pages, by their nearest chunks, with exact cosines', async () => {
    const scope = newScope();
    await put(index(), scope, [
      named('near', { texts: ['a', 'b'], embedded: [embeddedAt(80), embeddedAt(10)] }),
      named('middle', { texts: ['c'], embedded: [embeddedAt(40)] }),
      named('far', { texts: ['d'], embedded: [embeddedAt(120)] }),
    ]);
    const found = await search(index(), scope, 'unknown', { vector: queryVectorAt(0), limit: 2 });
    expect(urlsOf(found)).toEqual(urls('middle', 'near'));
    const near = found.pages.find(({ url }) => url.endsWith('near'))?.chunks.find(({ ord }) => ord === 1);
    expect(near?.cosine).toBeCloseTo(cosineOf(10), COSINE_DIGITS);
  });

  it('are none for a query vector of another length', async () => {
    const scope = newScope();
    await put(index(), scope, [{ texts: ['a'], embedded: [embeddedAt(0)] }]);
    for (const length of [256, 512]) {
      const { pages } = await search(index(), scope, 'unknown', { vector: new Float32Array(length).fill(1) });
      expect(pages).toEqual([]);
    }
  });

  it('include pages of both blocks, and name the block', async () => {
    const scope = newScope();
    await put(index(), scope, [
      named('table', { texts: ['a'], embedded: [embeddedAt(30, 'table')] }),
      named('hash', { texts: ['b'], embedded: [embeddedAt(60, 'hash')] }),
    ]);
    const { pages } = await search(index(), scope, 'unknown', { vector: queryVectorAt(0) });
    const found = Object.fromEntries(pages.map(({ block, chunks }) => [block, chunks[0]?.cosine]));
    expect(found.table).toBeCloseTo(cosineOf(30), COSINE_DIGITS);
    expect(found.hash).toBeCloseTo(cosineOf(60), COSINE_DIGITS);
  });

  it('have the word features too, and candidates by words have their cosines', async () => {
    const scope = newScope();
    await put(index(), scope, [
      named('word', { title: 'A', texts: ['gopher gopher'], embedded: [embeddedAt(85)] }),
      named('near', { title: 'A', texts: ['badger gopher'], embedded: [embeddedAt(5)] }),
    ]);
    const { pages } = await search(index(), scope, 'gopher', { vector: queryVectorAt(0), limit: 2 });
    const chunks = Object.fromEntries(pages.map(({ url, chunks: [chunk] }) => [url.slice(20), chunk]));
    expect(chunks.word).toMatchObject({ frequencies: [2] });
    expect(chunks.word?.cosine).toBeCloseTo(cosineOf(85), COSINE_DIGITS);
    expect(chunks.near).toMatchObject({ frequencies: [1] });
    expect(chunks.near?.cosine).toBeCloseTo(cosineOf(5), COSINE_DIGITS);
  });

  it('have as many chunks of each page as are asked for', async () => {
    const scope = newScope();
    const texts = Array.from({ length: 6 }, (_, n) => 'gopher '.repeat(n + 1));
    await put(index(), scope, [{ title: 'A', texts }]);
    const { chunks } = only(await search(index(), scope, 'gopher', { chunksPerPage: 3 }));
    expect(chunks.length).toBeGreaterThanOrEqual(3);
    expect(chunks.map(({ ord }) => ord)).toEqual(expect.arrayContaining([3, 4, 5]));
  });

  it('include both the best chunk by words and the nearest one of a page', async () => {
    const scope = newScope();
    await put(index(), scope, [{ title: 'A', texts: ['gopher', 'badger'], embedded: [embeddedAt(90), embeddedAt(1)] }]);
    const { chunks } = only(await search(index(), scope, 'gopher', { vector: queryVectorAt(0) }));
    expect(chunks.map(({ ord }) => ord).toSorted()).toEqual([0, 1]);
  });

  it('have no cosine where chunk or query has no vector', async () => {
    const scope = newScope();
    await put(index(), scope, [
      named('without', { title: 'A', texts: ['gopher'] }),
      named('with', { title: 'A', texts: ['gopher'], embedded: [embeddedAt(0)] }),
    ]);
    const cosines = async (parts: QueryParts) =>
      (await search(index(), scope, 'gopher', parts)).pages.flatMap(({ chunks }) =>
        chunks.filter(({ cosine }) => cosine !== undefined),
      );
    expect(await cosines({})).toEqual([]);
    expect(await cosines({ vector: queryVectorAt(0) })).toHaveLength(1);
  });

  it('follow every change', async () => {
    const scope = newScope();
    const urlHash = randomUUID();
    const cosine = async () =>
      (await search(index(), scope, 'x', { vector: queryVectorAt(0) })).pages[0]?.chunks[0]?.cosine;
    for (const [revision, degrees] of [20, 70, 50].entries()) {
      await put(index(), scope, [{ urlHash, revision: revision + 1, texts: ['a'], embedded: [embeddedAt(degrees)] }]);
      expect(await cosine()).toBeCloseTo(cosineOf(degrees), COSINE_DIGITS);
    }
    await index().remove([{ ...scope, urlHash, revision: 9 }], { visible: 'now' });
    expect(await cosine()).toBeUndefined();
  });
}

function titles(index: Access): void {
  const weak = (n: number) => named(`weak${n}`, { title: 'Walnuts', texts: ['gopher gopher gopher, gopher'] });

  it('make a page a candidate whose text hardly has the words', async () => {
    const scope = newScope();
    const words = Array.from({ length: 60 }, (_, n) => `word${n}`).join(' ');
    await put(index(), scope, [
      ...Array.from({ length: 30 }, (_, n) => weak(n)),
      named('titled', { title: 'Gophers', texts: [words] }),
    ]);
    expect(urlsOf(await search(index(), scope, 'gopher', { limit: 1 }))).toContain('https://example.org/titled');
  });

  it('are found by all of their words, each by one of its terms, those with the fewest other words first', async () => {
    const scope = newScope();
    const foreign = newScope();
    await put(index(), foreign, [named('foreign', { title: 'Window functions' })]);
    await put(index(), scope, [
      named('long', { title: 'Window functions of the engine', texts: ['a'] }),
      named('short', { title: 'Window functions' }),
      named('half', { title: 'Window' }),
    ]);
    const titled = async (words: readonly (readonly string[])[], limit = 10) =>
      (await index().titled({ scopes: [scope], words, limit })).map(({ url, title }) => [url.slice(20), title]);
    expect(await titled([['window'], ['absent', 'function']])).toEqual([
      ['short', 'Window functions'],
      ['long', 'Window functions of the engine'],
    ]);
    expect(await titled([['window']], 1)).toHaveLength(1);
    expect(await titled([['window'], ['absent']])).toEqual([]);
    expect(await titled([])).toEqual([]);
  });
}

function vocabulary(index: Access): void {
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

  it('says whether a page has a form of a word, and how many pages spell it so', async () => {
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
    it(`finds the words of the site that differ by ${what}`, async () => {
      const found = (await lookUp(await site(), typed, 'similar'))?.found.map((one) => one.word);
      expect(found).toContain(word);
      expect(found).not.toContain('bactups');
    });
  }

  it('finds nothing similar to a number, nor with two other letters in a short word', async () => {
    const scope = await site();
    expect((await lookUp(scope, '12346', 'similar'))?.found).toEqual([]);
    expect((await lookUp(scope, 'bxckxp', 'similar'))?.found).toEqual([]);
  });

  it('finds the longer words that begin with a word, the most frequent ones first', async () => {
    const scope = await site();
    expect((await lookUp(scope, 'back', 'completions'))?.found).toEqual([
      { word: 'backup', pages: 2 },
      { word: 'backwards', pages: 1 },
    ]);
    expect((await lookUp(scope, 'pg_', 'completions'))?.found).toEqual([{ word: 'pg_restore', pages: 1 }]);
    expect((await lookUp(scope, 'max.*', 'completions'))?.found).toEqual([]);
    expect((await lookUp(scope, 'backup', 'completions'))?.found).toEqual([]);
  });

  it('finds the words that begin almost so', async () => {
    const found = (await lookUp(await site(), 'bakcw', 'similarCompletions'))?.found;
    expect(found?.map(({ word }) => word)).toEqual(['backwards']);
  });

  it('follows every change', async () => {
    const scope = newScope();
    const [entry] = await put(index(), scope, [named('a', { title: 'A', texts: ['gopher'] })]);
    expect(await lookUp(scope, 'goph', 'completions')).toMatchObject({ found: [{ word: 'gopher', pages: 1 }] });
    await index().remove([{ ...scope, urlHash: entry?.urlHash ?? '', revision: 1 }], { visible: 'now' });
    expect(await lookUp(scope, 'goph', 'completions')).toMatchObject({ found: [] });
  });
}

function filters(index: Access): void {
  async function site(): Promise<SiteScope> {
    const scope = newScope();
    const texts = ['gopher'];
    const embedded = [embeddedAt(10)];
    await put(index(), scope, [
      named('a', {
        texts,
        embedded,
        tags: ['red', "it's"],
        language: 'en',
        facts: ['n:size=10', 's:kind=x'],
        publishedAt: '2026-01-10T00:00:00.000Z',
      }),
      named('b', {
        texts,
        embedded,
        tags: ['blue'],
        language: 'de',
        facts: ['n:size=20', 's:kind=y'],
        publishedAt: '2026-02-10T00:00:00.000Z',
        aliases: ['https://example.org/older/b', 'https://example.org/old/b'],
      }),
      named('c', {
        ...{ texts, embedded, tags: ['red', 'blue'], language: 'fr', facts: ['n:size=30'] },
        aliases: ['https://example.org/older/c'],
      }),
    ]);
    return scope;
  }
  const cases: Record<string, readonly [readonly PageFilter[], readonly string[]]> = {
    'a tag': [[{ field: 'tags', anyOf: ['red'] }], ['a', 'c']],
    'a tag with a quote': [[{ field: 'tags', anyOf: ["it's"] }], ['a']],
    'any of some tags': [[{ field: 'tags', anyOf: ['red', 'blue'] }], ['a', 'b', 'c']],
    'none of no tags': [[{ field: 'tags', anyOf: [] }], []],
    'a language': [[{ field: 'language', anyOf: ['de', 'fr'] }], ['b', 'c']],
    'a fact': [[{ field: 'facts', anyOf: ['s:kind=y'] }], ['b']],
    'a range of facts, both ends included': [[{ field: 'facts', from: 'n:size=10', to: 'n:size=20' }], ['a', 'b']],
    'a range of dates': [[{ field: 'publishedAt', from: '2026-02-01', to: '2026-03-01' }], ['b']],
    'several at once': [
      [
        { field: 'tags', anyOf: ['red'] },
        { field: 'facts', from: 'n:size=15', to: 'n:size=99' },
      ],
      ['c'],
    ],
    'what no page has': [[{ field: 'tags', anyOf: ['re'] }], []],
    'a prefix of the URL': [[{ field: 'url', urlPrefixes: ['https://example.org/a'], pathPrefixes: [] }], ['a']],
    'a prefix of the path': [[{ field: 'url', urlPrefixes: [], pathPrefixes: ['/b', '/c'] }], ['b', 'c']],
    'a prefix of an alias': [[{ field: 'url', urlPrefixes: ['https://example.org/old/'], pathPrefixes: [] }], ['b']],
    'a prefix of the path of an alias': [[{ field: 'url', urlPrefixes: [], pathPrefixes: ['/older/'] }], ['b', 'c']],
    'no prefix': [[{ field: 'url', urlPrefixes: [], pathPrefixes: [] }], []],
    'one of several filters': [
      [
        {
          field: 'any',
          of: [
            { field: 'tags', anyOf: ["it's"] },
            { field: 'facts', from: 'n:size=25', to: 'n:size=99' },
          ],
        },
      ],
      ['a', 'c'],
    ],
  };
  for (const [what, [wanted, names]] of Object.entries(cases)) {
    it(`apply by words and by vector: ${what}`, async () => {
      const scope = await site();
      expect(urlsOf(await search(index(), scope, 'gopher', { filters: wanted }))).toEqual(urls(...names));
      const near = await search(index(), scope, 'unknown', { filters: wanted, vector: queryVectorAt(0) });
      expect(urlsOf(near)).toEqual(urls(...names));
    });
  }

  it('apply before the best pages are chosen', async () => {
    const scope = newScope();
    const better = Array.from({ length: 20 }, () => ({
      texts: ['gopher gopher'],
      embedded: [embeddedAt(1)],
      title: 'A',
    }));
    await put(index(), scope, better);
    await put(index(), scope, [
      named('tagged', { title: 'A', tags: ['x'], texts: ['some gopher here'], embedded: [embeddedAt(60)] }),
    ]);
    const wanted: QueryParts = { filters: [{ field: 'tags', anyOf: ['x'] }], limit: 1 };
    expect(urlsOf(await search(index(), scope, 'gopher', wanted))).toEqual(urls('tagged'));
    expect(urlsOf(await search(index(), scope, 'unknown', { ...wanted, vector: queryVectorAt(0) }))).toEqual(
      urls('tagged'),
    );
  });

  it('do not change the statistics', async () => {
    const scope = await site();
    const found = await search(index(), scope, 'gopher', { filters: [{ field: 'tags', anyOf: ['none'] }] });
    expect(found.statistics.get(scope.siteId)).toMatchObject({ chunks: 3, documentFrequency: [3] });
  });
}

function boosts(index: Access): void {
  const page = (n: number, parts: PageParts) => named(`${n}`, { title: 'A', embedded: [embeddedAt(40)], ...parts });

  it('raise a page that is far down by its text', async () => {
    const scope = newScope();
    await put(index(), scope, [
      ...Array.from({ length: 40 }, (_, n) => page(n, { texts: ['gopher gopher gopher'] })),
      page(99, { tags: ['up'], texts: [`one gopher among ${'many other words '.repeat(20)}`] }),
    ]);
    const tagged = { ...NO_BOOSTS, tagBoosts: [{ tag: 'up', boost: 5 }] };
    const byPath = { ...NO_BOOSTS, urlBoosts: [{ urlPrefix: '/99', boost: 5 }] };
    const byUrl = { ...NO_BOOSTS, urlBoosts: [{ urlPrefix: 'https://example.org/99', boost: 5 }] };
    for (const applied of [tagged, byPath, byUrl])
      for (const parts of [{}, { vector: queryVectorAt(0) }])
        expect(urlsOf(await search(index(), scope, 'gopher', { boosts: applied, limit: 2, ...parts }))).toContain(
          'https://example.org/99',
        );
  });

  it('lower pages, so that others become candidates', async () => {
    const scope = newScope();
    await put(index(), scope, [
      ...Array.from({ length: 40 }, (_, n) => page(n, { tags: ['down'], texts: ['gopher gopher gopher'] })),
      page(99, { texts: [`one gopher among ${'many other words '.repeat(20)}`] }),
    ]);
    const lowered = { ...NO_BOOSTS, tagBoosts: [{ tag: 'down', boost: 0.1 }] };
    expect(urlsOf(await search(index(), scope, 'gopher', { boosts: lowered, limit: 2 }))).toContain(
      'https://example.org/99',
    );
  });

  it('put a page at rank 150 by its text where five times its score is', async () => {
    const scope = newScope();
    const filler = (n: number) => 'and much else that is said of it '.repeat(1 + n);
    const text = (n: number) => (n < 120 ? `the red gopher digs ${filler(n)}` : `a gopher ${filler(n - 100)}`);
    const pages = Array.from({ length: 220 }, (_, n) =>
      named(`${n}`, { title: 'A', texts: [text(n)], embedded: [embeddedAt(30 + ((n * 7) % 60))] }),
    );
    await put(index(), scope, pages);
    const ranked = async (urlBoosts: Boosts['urlBoosts'], shown: number) => {
      const settings = { siteId: scope.siteId, baseUrl: 'https://example.org/', tagBoosts: [], urlBoosts };
      const site = { settings, state: { generation: 1, languages: ['en'] } } as unknown as SiteRecord;
      const embedder = {
        ...{ space: 'test', dimensions: 384, embedTexts: async () => [] },
        embedQuery: async () => queryVectorAt(0),
      };
      const request = { query: 'red gopher digs', offset: 0, limit: shown, minScore: 0 };
      return (await foundPages([{ site, filters: [] }], request, { index: index(), embedder })).pages;
    };
    const plain = await ranked([], 220);
    const { url = '', score = 0 } = plain[149] ?? {};
    const above = plain.filter((page) => page.url !== url && page.score > 5 * score).length;
    expect(above).toBeGreaterThan(2);
    expect(above).toBeLessThan(95);
    const boosted = await ranked([{ urlPrefix: url, boost: 5 }], 100);
    expect(boosted.findIndex((page) => page.url === url)).toBe(above);
    expect(boosted[above]?.score).toBeCloseTo(5 * score, COSINE_DIGITS);
  });

  it('obey the filters', async () => {
    const scope = newScope();
    await put(index(), scope, [
      named('in', { tags: ['x'], language: 'en', texts: ['gopher'] }),
      named('out', { tags: ['x'], language: 'de', texts: ['gopher'] }),
    ]);
    const found = await search(index(), scope, 'gopher', {
      boosts: { ...NO_BOOSTS, tagBoosts: [{ tag: 'x', boost: 2 }] },
      filters: [{ field: 'language', anyOf: ['en'] }],
    });
    expect(urlsOf(found)).toEqual(urls('in'));
  });
}

function phrases(index: Access): void {
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

  it('are adjacent words of one chunk, which includes the title', async () => {
    const scope = await site();
    const found = await search(index(), scope, 'gopher', { requiredPhrases: [phrase('red', 'gopher')] });
    expect(urlsOf(found)).toEqual(urls('title', 'together'));
  });

  it('may be a single word', async () => {
    const scope = await site();
    expect(urlsOf(await search(index(), scope, 'gopher', { requiredPhrases: [phrase('dig')] }))).toEqual(
      urls('together'),
    );
    expect(urlsOf(await search(index(), scope, 'gopher', { requiredPhrases: [phrase('nowhere')] }))).toEqual([]);
  });

  it('match any of the alternative terms of a word', async () => {
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

  it('are all required, each in any chunk', async () => {
    const scope = await site();
    const both = { requiredPhrases: [phrase('all', 'is', 'red'), phrase('gopher')] };
    expect(urlsOf(await search(index(), scope, 'gopher', both))).toEqual(urls('torn'));
  });

  it('exclude the pages with one of the excluded phrases', async () => {
    const scope = await site();
    const found = await search(index(), scope, 'gopher', {
      excludedPhrases: [phrase('red', 'gopher'), phrase('anger')],
    });
    expect(urlsOf(found)).toEqual(urls('apart', 'torn'));
  });

  it('apply to candidates by vector and to boosted pages too', async () => {
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

  it('match identifiers as a whole and by their parts', async () => {
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

  it('do not change the statistics', async () => {
    const scope = await site();
    const found = await search(index(), scope, 'gopher', {
      requiredPhrases: [phrase('dig')],
      excludedPhrases: [phrase('anger')],
    });
    expect(found.statistics.get(scope.siteId)).toMatchObject({ chunks: 7, documentFrequency: [5] });
  });
}

function severalSites(index: Access): void {
  const both = (a: SearchScope, b: SearchScope, limit: number, vector?: Float32Array) =>
    index().candidates({
      scopes: [a, b],
      terms: queryTerms('gopher', ['en']),
      vector,
      requiredPhrases: [],
      excludedPhrases: [],
      limit,
    });

  it('are searched together, each with its own statistics', async () => {
    const [a, b] = [newScope(), newScope(3)];
    await put(index(), a, [named('a', { title: 'A', texts: ['gopher', 'other'] })]);
    await put(index(), b, [named('b', { title: 'A', texts: ['gopher'] })]);
    const found = await both(a, b, 10);
    expect(found.pages.map(({ siteId, generation }) => `${siteId} ${generation}`).toSorted()).toEqual(
      [`${a.siteId} 1`, `${b.siteId} 3`].toSorted(),
    );
    expect([a, b].map(({ siteId }) => found.statistics.get(siteId)?.chunks)).toEqual([2, 1]);
  });

  it('are searched with their own filters and boosts', async () => {
    const [a, b] = [newScope(), newScope()];
    const pages = [
      named('x', { title: 'A', tags: ['x'], texts: ['a gopher and other things'] }),
      named('y', { title: 'A', tags: ['y'], texts: ['gopher gopher gopher'] }),
    ];
    await put(index(), a, pages);
    await put(index(), b, pages);
    const tagged = (tag: string): Pick<SearchScope, 'filters'> => ({ filters: [{ field: 'tags', anyOf: [tag] }] });
    const filtered = await both({ ...a, ...tagged('x') }, { ...b, ...tagged('y') }, 10);
    expect(sitesAndUrls(filtered)).toEqual([`${a.siteId} x`, `${b.siteId} y`].toSorted());
    const boosted = { boosts: { ...NO_BOOSTS, tagBoosts: [{ tag: 'x', boost: 5 }] } };
    expect(sitesAndUrls(await both({ ...a, ...boosted }, { ...b, ...tagged('none') }, 1))).toContain(`${a.siteId} x`);
  });

  it('answer the best pages of all of them, whichever site has them', async () => {
    const [a, b] = [newScope(), newScope()];
    const page = (n: number, text: string) => named(`${n}`, { title: 'A', texts: [text] });
    await put(
      index(),
      a,
      [1, 2, 3].map((n) => page(n, 'gopher gopher gopher')),
    );
    await put(
      index(),
      b,
      [4, 5, 6].map((n) => page(n, `one gopher among ${'many other words '.repeat(n)}`)),
    );
    const found = await both(a, b, 3);
    for (const n of [1, 2, 3]) expect(sitesAndUrls(found)).toContain(`${a.siteId} ${n}`);
  });
}

const sitesAndUrls = ({ pages }: Candidates): readonly string[] =>
  pages.map(({ siteId, url }) => `${siteId} ${url.slice('https://example.org/'.length)}`).toSorted();

function passages(index: Access): void {
  it('are the texts of chunks with their pages, in the order of the request; undefined for absent chunks', async () => {
    const scope = newScope();
    const [whole, bare] = await put(index(), scope, [
      {
        title: 'It\'s "A"',
        language: 'de',
        summary: 'About it',
        tags: ['x'],
        facts: ['s:a=b'],
        metadata: { a: 'b', deep: [{ ü: 1.5 }, null, true], text: '"👍'.repeat(8_000) },
        publishedAt: '2026-01-01T00:00:00.000Z',
        texts: ['first', 'Zürich 東京 👍\n\ttab'],
        sections: [[], [{ line: 1, heading: 'Über', anchor: 'a b' }]],
      },
      { texts: ['bare'] },
    ]);
    if (whole === undefined || bare === undefined) throw new Error('Nothing was put');
    const sections = [{ line: 1, heading: 'Über', anchor: 'a b' }];
    const ref = ({ urlHash }: IndexEntry, ord: number) => ({ ...scope, urlHash, ord });
    const found = await index().passages([
      ref(whole, 1),
      { ...ref(whole, 0), urlHash: randomUUID() },
      ref(whole, 2),
      { ...ref(whole, 0), generation: 9 },
      ref(bare, 0),
    ]);
    const { chunks: _, titleTerms: __, titleLength: ___, spellings: ____, ...page } = whole;
    expect(found.slice(0, 4)).toEqual([
      { ...page, ord: 1, headings: [], text: 'Zürich 東京 👍\n\ttab', sections },
      undefined,
      undefined,
      undefined,
    ]);
    expect(found[4]).not.toHaveProperty('summary');
    expect(found[4]).not.toHaveProperty('metadata');
    expect(await index().passages([])).toEqual([]);
  });
}

function facets(index: Access): void {
  const site = async (): Promise<SiteScope> => {
    const scope = newScope();
    await put(index(), scope, [
      { tags: ['b', 'a'], language: 'en', facts: ['s:k=x', 'n:p=10'] },
      { tags: ['b'], language: 'en', facts: ['s:k=y', 's:k=x', 'n:p=30'] },
      { tags: ['c'], language: 'de', facts: ['n:p=20', 's:kk=z'] },
    ]);
    return scope;
  };
  const count = (
    scopes: readonly [SearchScope, ...SearchScope[]],
    parts: Partial<Parameters<PageIndex['facets']>[0]>,
  ) => index().facets({ scopes, fields: [{ name: 'tags', field: 'tags' }], limit: 10, ...parts });

  it('count the pages of each value, by falling count, then by value', async () => {
    const scope = await site();
    const fields = [
      { name: 'Tags', field: 'tags' },
      { name: 'lang', field: 'language' },
      { name: 'k', field: 'facts', prefix: 's:k=' },
    ] as const;
    const found = await count([scope], { fields });
    const values = (name: string) =>
      found.find((facet) => facet.name === name)?.values.map((facet) => [facet.value, facet.count]);
    expect(found.map(({ name }) => name)).toEqual(['Tags', 'lang', 'k']);
    expect(values('Tags')).toEqual([
      ['b', 2],
      ['a', 1],
      ['c', 1],
    ]);
    expect(values('lang')).toEqual([
      ['en', 2],
      ['de', 1],
    ]);
    expect(values('k')).toEqual([
      ['x', 2],
      ['y', 1],
    ]);
  });

  it('report the smallest and the largest value, also beyond the limit', async () => {
    const scope = await site();
    const [facet] = await count([scope], { fields: [{ name: 'p', field: 'facts', prefix: 'n:p=' }], limit: 1 });
    expect(facet?.values).toHaveLength(1);
    expect(facet?.range).toEqual(['10', '30']);
    const [none] = await count([scope], { fields: [{ name: 'q', field: 'facts', prefix: 'n:q=' }] });
    expect(none).toEqual({ name: 'q', values: [] });
  });

  it('count the pages that pass the filters, over several sites and no others', async () => {
    const [a, b] = [await site(), await site()];
    const english = { filters: [{ field: 'language', anyOf: ['en'] }] } as const;
    const [facet] = await count(
      [
        { ...a, ...english },
        { ...b, ...english },
      ],
      {},
    );
    expect(facet?.values).toEqual([
      { value: 'b', count: 4 },
      { value: 'a', count: 2 },
    ]);
    const [ofBoth] = await count([{ ...a, ...english }, b], {});
    expect(ofBoth?.values).toEqual([
      { value: 'b', count: 4 },
      { value: 'a', count: 2 },
      { value: 'c', count: 1 },
    ]);
    expect((await count([{ ...a, generation: 2 }], {}))[0]?.values).toEqual([]);
  });
}

function finding(index: Access): void {
  const site = async (): Promise<SiteScope> => {
    const scope = newScope();
    await put(index(), scope, [
      named('c', { title: 'Über Gopher' }),
      named('a', { title: 'The GOPHER 100%' }),
      named('gopher/b', { title: 'Other' }),
      named('d', { title: 'None' }),
    ]);
    await put(index(), newScope(), [named('foreign', { title: 'Gopher' })]);
    return scope;
  };
  const find = async (scope: SiteScope, text: string, limit = 10, after?: string) =>
    index().find(scope, { text, limit, ...(after === undefined ? {} : { after }) });

  it('finds a text in titles and URLs, ignoring case, ordered by URL', async () => {
    const scope = await site();
    const { items, next } = await find(scope, 'gOpHeR');
    expect(items.map(({ url }) => url)).toEqual(urls('a', 'c', 'gopher/b'));
    const first = { url: urls('a')[0], urlHash: expect.stringMatching(/./), title: 'The GOPHER 100%' };
    expect(items[0]).toEqual({ ...first, revision: expect.any(Number) });
    expect(next).toBeUndefined();
    expect((await find(scope, 'ÜBER')).items).toHaveLength(1);
    expect((await find(scope, '%')).items).toHaveLength(1);
    expect((await find(scope, '')).items).toHaveLength(4);
  });

  it('lists every page once, one at a time', async () => {
    const scope = await site();
    const found: string[] = [];
    let after: string | undefined;
    do {
      const page = await find(scope, 'gopher', 1, after);
      found.push(...page.items.map(({ url }) => url));
      after = page.next;
    } while (after !== undefined && found.length < 10);
    expect(found).toEqual(urls('a', 'c', 'gopher/b'));
  });
}

function removal(index: Access): void {
  it('removes older generations of one site, up to the limit, and keeps the rest', async () => {
    const scope = newScope(3);
    const foreign = newScope(1);
    for (const generation of [1, 2, 3]) {
      await put(
        index(),
        { ...scope, generation },
        [0, 1, 2].map(() => ({ texts: ['gopher'], embedded: [embeddedAt(0)] })),
      );
    }
    await put(index(), foreign, [{ texts: ['gopher'] }]);
    let calls = 0;
    while (!(await index().removeBelow(scope.siteId, 3, 2)) && calls < 20) calls++;
    expect(calls).toBeGreaterThanOrEqual(2);
    const remaining = async (of: SiteScope) =>
      (await search(index(), of, 'gopher', { vector: queryVectorAt(0) })).pages.length;
    expect([await remaining({ ...scope, generation: 1 }), await remaining({ ...scope, generation: 2 })]).toEqual([
      0, 0,
    ]);
    expect([await remaining(scope), await remaining(foreign)]).toEqual([3, 1]);
  });

  it('removes pages from the statistics too', async () => {
    const scope = newScope();
    for (const word of ['gopher', 'walnut']) {
      await put(
        index(),
        scope,
        [0, 1, 2].map(() => ({ texts: [word] })),
      );
      await search(index(), scope, 'gopher walnut');
      if (word === 'gopher') while (!(await index().removeBelow(scope.siteId, Number.POSITIVE_INFINITY, 500)));
    }
    const { statistics: counted } = await search(index(), scope, 'gopher walnut');
    expect(counted.get(scope.siteId)).toMatchObject({ chunks: 3, documentFrequency: [0, 3] });
  });

  it('removes a whole site below infinity, and answers true at once for a site without pages', async () => {
    const scope = newScope(7);
    await put(index(), scope, [{ texts: ['gopher'] }]);
    while (!(await index().removeBelow(scope.siteId, Number.POSITIVE_INFINITY, 500)));
    expect((await search(index(), scope, 'gopher')).pages).toEqual([]);
    expect(await index().removeBelow(randomUUID(), 5, 100)).toBe(true);
  });
}
