import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { queryTerms } from '../../../lambdas/text/words/query-terms.ts';
import { termMatches } from '../../../lambdas/text/words/term-matches.ts';
import { cosineOf, embeddedAt, newScope, placed, queryVectorAt } from '../../support/index-entries.ts';
import { type Access, COSINE_DIGITS, named, only, put, type QueryParts, search, urls, urlsOf } from './queries.ts';

export function byWords(index: Access): void {
  it('candidates by words are the pages with one of the words, each with its features', async () => {
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

  it('candidates by words have the shortest label of each word, by any of its forms, and the share of link text', async () => {
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

  it('candidates by words count a word up to 255 times', async () => {
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
    it(`candidates by words include the page with ${word}, counted once`, async () => {
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

  it('candidates by words are none for question words alone, which count in pages that have other words', async () => {
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

  it('candidates by words are the best ones up to the limit', async () => {
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

  it('candidates by words are pages up to the limit, however many chunks of one page match', async () => {
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

  it('candidates by words never include a page of another site or generation', async () => {
    const scope = newScope(2);
    await put(index(), { ...scope, generation: 1 }, [named('old', { texts: ['gopher'], embedded: [embeddedAt(0)] })]);
    await put(index(), newScope(2), [named('foreign', { texts: ['gopher'], embedded: [embeddedAt(0)] })]);
    await put(index(), scope, [named('own', { texts: ['gopher'], embedded: [embeddedAt(0)] })]);
    expect(urlsOf(await search(index(), scope, 'gopher', { vector: queryVectorAt(0) }))).toEqual(urls('own'));
  });
}

export function byVector(index: Access): void {
  it('candidates by vector are the nearest pages, by their nearest chunks, with exact cosines', async () => {
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

  it('candidates by vector are none for a query vector of another length', async () => {
    const scope = newScope();
    await put(index(), scope, [{ texts: ['a'], embedded: [embeddedAt(0)] }]);
    for (const length of [256, 512]) {
      const { pages } = await search(index(), scope, 'unknown', { vector: new Float32Array(length).fill(1) });
      expect(pages).toEqual([]);
    }
  });

  it('candidates by vector include pages of both blocks, and name the block', async () => {
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

  it('candidates by vector have the word features too, and candidates by words have their cosines', async () => {
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

  it('candidates by vector have the requested number of chunks of each page', async () => {
    const scope = newScope();
    const texts = Array.from({ length: 6 }, (_, n) => 'gopher '.repeat(n + 1));
    await put(index(), scope, [{ title: 'A', texts }]);
    const { chunks } = only(await search(index(), scope, 'gopher', { chunksPerPage: 3 }));
    expect(chunks.length).toBeGreaterThanOrEqual(3);
    expect(chunks.map(({ ord }) => ord)).toEqual(expect.arrayContaining([3, 4, 5]));
  });

  it('candidates by vector include both the best chunk by words and the nearest one of a page', async () => {
    const scope = newScope();
    await put(index(), scope, [{ title: 'A', texts: ['gopher', 'badger'], embedded: [embeddedAt(90), embeddedAt(1)] }]);
    const { chunks } = only(await search(index(), scope, 'gopher', { vector: queryVectorAt(0) }));
    expect(chunks.map(({ ord }) => ord).toSorted()).toEqual([0, 1]);
  });

  it('candidates by vector have no cosine where chunk or query has no vector', async () => {
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

  it('candidates by vector reflect every put and removal', async () => {
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
