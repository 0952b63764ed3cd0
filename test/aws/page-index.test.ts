import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openSearchClient } from '../../lambdas/aws/opensearch/client.ts';
import { ensureIndex } from '../../lambdas/aws/opensearch/index/index-admin.ts';
import { indexDefinition } from '../../lambdas/aws/opensearch/index/index-mapping.ts';
import { opensearchPageIndex } from '../../lambdas/aws/opensearch/index/opensearch-page-index.ts';
import { indexName } from '../../lambdas/aws/opensearch/index-name.ts';
import type { Phrase, SiteStatistics } from '../../lambdas/domain/ports/index-reader.ts';
import type { PageIndex, SiteScope } from '../../lambdas/domain/ports/page-index.ts';
import { scorer } from '../../lambdas/domain/search/rank/ranking.ts';
import { BUILTIN_DIMENSIONS } from '../../lambdas/text/words/builtin-vector.ts';
import { queryTerms } from '../../lambdas/text/words/query-terms.ts';
import { termMatches } from '../../lambdas/text/words/term-matches.ts';
import { pageIndexContract } from '../contracts/page-index.contract.ts';
import { embeddedAt, indexEntry, newScope, placed, queryVectorAt } from '../support/index-entries.ts';

const { OPENSEARCH_URL: url = '' } = process.env;

/*
 * The whole contract holds. OpenSearch limits these promises:
 * - A misspelt word is corrected by words of the site among the 50 nearest ones of its shard, 300 for a whole query:
 *   the engine suggests words of all sites.
 * - A removed page can be put again in the same revision only after 5 minutes (`gc_deletes`), because versions order
 *   the writes. A higher revision is accepted at once.
 * - Tags and facts of candidates are sorted and distinct, because they are doc values. Those longer than 8,191
 *   characters are returned but not searchable.
 * - A term is identified by a hash of 40 bits, and its position is exact up to the 16,384th word of a chunk: an
 *   occurrence is one number.
 * - A put of a page of more than 2 MB may take a second longer per MB before OpenSearch counts as unavailable.
 */

/** The number of shards in production. The pages of a site are in two of them. */
const SIZE = { shards: 3, replicas: 0 };

/** Creates an index, which `close` deletes. */
async function open() {
  const client = openSearchClient(url);
  const space = { space: `contract-${randomUUID()}`, dimensions: BUILTIN_DIMENSIONS };
  await ensureIndex(client, space, SIZE);
  const close = async () => {
    await client.send({ method: 'DELETE', path: `/${indexName(space)}-0` });
    client.close();
  };
  return { pageIndex: opensearchPageIndex(client, space), client, name: indexName(space), close };
}

function shards(): void {
  let opened: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  it('the shards of a site are two, each with about half of its pages', async () => {
    const { pageIndex, client, name } = opened;
    const scope = newScope();
    const urls = Array.from({ length: 100 }, (_, n) => `https://example.org/${n}`);
    const entries = urls.map((url) =>
      indexEntry(scope, { url, title: 'A', texts: ['rye'], embedded: [embeddedAt(10)] }),
    );
    await pageIndex.put(entries, { visible: 'now' });
    const counts = await Promise.all(
      Array.from({ length: SIZE.shards }, async (_, shard) => {
        const query = { preference: `_shards:${shard}` };
        const answer = await client.send({ method: 'GET', path: `/${name}/_count`, query });
        return (answer as { count: number }).count;
      }),
    );
    const [least = 0, ...most] = counts.toSorted((a, b) => a - b);
    expect(least).toBe(0);
    for (const count of most) expect(count).toBeGreaterThan(urls.length / 4);
  });
}

/** More pages than those in which completions are sought. */
function frequentCompletions(): void {
  let opened: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  it('completions that most pages have are counted in all pages', async () => {
    const { pageIndex } = opened;
    const scope = newScope();
    const entries = Array.from({ length: 1800 }, (_, n) =>
      indexEntry(scope, {
        urlHash: `${n}`,
        url: `https://example.org/${n}`,
        title: 'A',
        texts: [n % 3 === 0 ? 'tidal tide' : 'tides'],
        embedded: [embeddedAt(10)],
      }),
    );
    for (let from = 0; from < entries.length; from += 300)
      await pageIndex.put(entries.slice(from, from + 300), { visible: 'now' });
    const words = [{ word: 'tid', forms: ['tid'], find: 'completions' as const }];
    expect((await pageIndex.vocabulary({ scopes: [scope], words }))[0]?.found).toEqual([
      { word: 'tides', pages: 1200 },
      { word: 'tidal', pages: 600 },
      { word: 'tide', pages: 600 },
    ]);
  });
}

/** It is searched until the pages have been indexed again. */
function earlierLayout(): void {
  it('suggests no titles, without an error', async () => {
    const client = openSearchClient(url);
    const space = { space: `contract-${randomUUID()}`, dimensions: BUILTIN_DIMENSIONS };
    const { settings, mappings } = indexDefinition(BUILTIN_DIMENSIONS, SIZE);
    const { suggestion: _, titleSpellings: __, ...properties } = mappings.properties;
    const name = indexName(space);
    const body = { settings, mappings: { ...mappings, properties }, aliases: { [name]: {} } };
    await client.send({ method: 'PUT', path: `/${name}-0`, body });
    const scope = newScope();
    const { siteId, generation } = scope;
    const query = { routing: siteId, refresh: 'true' };
    const page = {
      siteId,
      generation,
      url: 'https://example.org/',
      title: 'Tides',
      titleWords: 'tide',
      titleLength: 1,
    };
    await client.send({ method: 'PUT', path: `/${name}/_doc/1`, query, body: page });
    const words = [{ word: 'tide', forms: ['tide'] }];
    const index = opensearchPageIndex(client, space);
    expect((await index.titled({ scopes: [scope], words, limit: 5 })).pages).toEqual([]);
    await client.send({ method: 'DELETE', path: `/${name}-0` });
    client.close();
  });
}

type Phrases = { readonly requiredPhrases?: readonly Phrase[]; readonly excludedPhrases?: readonly Phrase[] };

function phrases(): void {
  let opened: Awaited<ReturnType<typeof open>>;
  let scope: SiteScope;
  beforeAll(async () => {
    opened = await open();
    scope = newScope();
    const texts = {
      together: ['the quick brown fox'],
      apart: ['the brown and the quick fox', 'other'],
      divided: ['the quick', 'brown fox'],
      identifier: ['quick pg_dump brown'],
      titled: ['nothing'],
    };
    const entries = Object.entries(texts).map(([name, own]) =>
      indexEntry(scope, {
        url: `https://example.org/${name}`,
        title: name === 'titled' ? 'Quick brown' : 'A',
        texts: own,
        embedded: own.map(() => embeddedAt(10)),
      }),
    );
    await opened.pageIndex.put(entries, { visible: 'now' });
  });
  afterAll(() => opened.close());

  /** The pages found, which must be the same by words and by vector. */
  const found = async (parts: Phrases): Promise<readonly string[]> => {
    const query = {
      scopes: [scope] as const,
      requiredPhrases: [],
      excludedPhrases: [],
      limit: 100,
      ...parts,
    };
    const names = async (parts: Pick<Parameters<PageIndex['candidates']>[0], 'terms' | 'vector'>) =>
      (await opened.pageIndex.candidates({ ...query, ...parts })).pages.map(({ url: at }) => at.slice(20)).toSorted();
    const byVector = await names({ terms: [], vector: queryVectorAt(0) });
    const byWords = await names({ terms: queryTerms('quick nothing', ['en']) });
    expect(byVector).toEqual(byWords);
    return byWords;
  };
  const phrase = (words: string): Phrase => queryTerms(words, ['en']).map(({ forms }) => forms);

  const cases: Readonly<Record<string, readonly [Phrases, readonly string[]]>> = {
    'all without phrases': [{}, ['apart', 'divided', 'identifier', 'titled', 'together']],
    'those with adjacent words in order': [{ requiredPhrases: [phrase('quick brown')] }, ['titled', 'together']],
    'three words': [{ requiredPhrases: [phrase('quick brown fox')] }, ['together']],
    'one word anywhere': [{ requiredPhrases: [phrase('fox')] }, ['apart', 'divided', 'together']],
    'any of the terms of a word': [
      {
        requiredPhrases: [
          [
            ['no', 'quick'],
            ['pg_dump', 'no'],
          ],
        ],
      },
      ['identifier'],
    ],
    'a part of an identifier beside its neighbour': [{ requiredPhrases: [[['dump'], ['brown']]] }, ['identifier']],
    'every one of several': [{ requiredPhrases: [phrase('brown fox'), phrase('quick')] }, ['divided', 'together']],
    'none that has a phrase that is not wanted': [
      { excludedPhrases: [phrase('quick brown')] },
      ['apart', 'divided', 'identifier'],
    ],
    'none with one of several excluded phrases': [{ excludedPhrases: [phrase('fox'), [['pg_dump']]] }, ['titled']],
    'none if a phrase is both required and excluded': [
      { requiredPhrases: [phrase('fox')], excludedPhrases: [phrase('fox')] },
      [],
    ],
  };
  for (const [what, [parts, names]] of Object.entries(cases)) {
    it(`phrases admit ${what}`, async () => {
      expect(await found(parts)).toEqual(names);
    });
  }
}

/** Short texts of few words, so that the words occur in every order and distance. */
const words = fc.constantFrom(
  'run',
  'runs',
  'the',
  'pg_dump',
  'dump',
  'maxSize',
  'size',
  'cats',
  '東京都',
  'of',
  'é',
  'x',
);
const texts = fc.array(words, { maxLength: 30 }).map((some) => some.join(' '));

function features(): void {
  let opened: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  it('features of every chunk are those that the domain computes from its text', async () => {
    const scope = newScope();
    const entries = fc
      .sample(texts, 200)
      .map((text, n) =>
        indexEntry(scope, { urlHash: `${n}`, title: n % 3 === 0 ? 'The size of cats' : 'A', texts: [text] }),
      );
    await opened.pageIndex.put(entries, { visible: 'now' });
    for (const text of ['run the cats', 'pg_dump size', 'maxSize of é', '東京都 x dump', 'size of the cats that run']) {
      const terms = queryTerms(text, ['en']);
      const query = { terms, requiredPhrases: [], excludedPhrases: [], limit: 1000 };
      const { pages } = await opened.pageIndex.candidates({ scopes: [scope], ...query });
      expect(pages.length).toBeGreaterThan(10);
      for (const page of pages) {
        const { terms: positions, labelled = [] } = entries[Number(page.urlHash)]?.chunks[0] ?? {};
        const own = placed(positions);
        const { frequencies, phrase } = termMatches(terms, own);
        expect(page.chunks).toMatchObject([{ ord: 0, length: own.length, frequencies, phrase }]);
        expect(labelled).toEqual([]);
      }
    }
  });

  it('features are those of the chunk with the best score, whichever words and meaning favour', async () => {
    const scope = newScope();
    const filler = 'a text about something else entirely, which goes on and on';
    const texts = [
      `gopher gopher gopher ${filler} tunnel`,
      `${filler} gopher tunnel ${filler} ${filler}`,
      `${filler} tunnel`,
      'gopher',
    ];
    const embedded = [85, 80, 60, 85].map((degrees) => embeddedAt(degrees));
    const entry = indexEntry(scope, { title: 'A', texts, embedded });
    const other = indexEntry(scope, { title: 'B', texts: [filler] });
    await opened.pageIndex.put([entry, other], { visible: 'now' });
    const terms = queryTerms('gopher tunnel', ['en']);
    const query = { terms, requiredPhrases: [], excludedPhrases: [], limit: 10, vector: queryVectorAt(0) };
    const found = async (chunksPerPage: number) => {
      const { pages, statistics } = await opened.pageIndex.candidates({ scopes: [scope], ...query, chunksPerPage });
      const page = pages.find(({ urlHash }) => urlHash === entry.urlHash);
      const score = scorer(terms, statistics.get(scope.siteId) as SiteStatistics);
      const scored = page?.chunks.map((chunk) => ({ ord: chunk.ord, score: score(page, chunk) })) ?? [];
      return scored.sort((a, b) => b.score - a.score).map(({ ord }) => ord);
    };
    const [best, ...others] = await found(4);
    expect([best, others.length]).toEqual([1, 3]);
    // Chunk 0 is the best by words, chunk 2 the nearest.
    expect((await found(1)).toSorted()).toEqual([0, 1, 2]);
  });

  it('features name the block of each chunk', async () => {
    const scope = newScope();
    const embedded = [embeddedAt(30, 'hash'), embeddedAt(60, 'table')];
    const entry = indexEntry(scope, { title: 'A', texts: ['gopher', 'gopher'], embedded });
    await opened.pageIndex.put([entry], { visible: 'now' });
    const terms = queryTerms('gopher', ['en']);
    const query = { terms, requiredPhrases: [], excludedPhrases: [], limit: 10, vector: queryVectorAt(0) };
    const { pages } = await opened.pageIndex.candidates({ scopes: [scope], ...query, chunksPerPage: 2 });
    const blocks = new Map(pages[0]?.chunks.map(({ ord, block }) => [ord, block]));
    expect([blocks.get(0), blocks.get(1)]).toEqual(['hash', 'table']);
  });

  it('features are complete for a page with values that OpenSearch would reject', async () => {
    const scope = newScope();
    const vectors = [new Float32Array(384), new Float32Array(384).fill(Number.NaN), new Float32Array(3).fill(1)];
    const entry = indexEntry(scope, {
      title: `Gopher ${'x'.repeat(100_000)} \ud800 \u0000`,
      tags: ['y'.repeat(40_000), '\udfff', ''],
      facts: ['s:a=\u0000'],
      texts: [...vectors.map(() => 'gopher \ud83d \u0000 \u2028'), ''],
      embedded: [...vectors.map((vector) => ({ block: 'table' as const, vector })), embeddedAt(0)],
    });
    await opened.pageIndex.put([entry], { visible: 'now' });
    const terms = queryTerms('gopher', ['en']);
    const query = { terms, requiredPhrases: [], excludedPhrases: [], limit: 10 };
    const { pages } = await opened.pageIndex.candidates({ scopes: [scope], ...query, vector: queryVectorAt(0) });
    expect(pages.map(({ urlHash }) => urlHash)).toEqual([entry.urlHash]);
    const [passage] = await opened.pageIndex.passages([{ ...scope, urlHash: entry.urlHash, ord: 0 }]);
    expect(passage?.text).toContain('gopher');
  });

  it('features include `find` for long texts and for unusual characters', async () => {
    const scope = newScope();
    const url = `https://example.org/${'ab?*'.repeat(400)}`;
    await opened.pageIndex.put([indexEntry(scope, { url }), indexEntry(scope)], { visible: 'now' });
    const find = async (text: string) => (await opened.pageIndex.find(scope, { text, limit: 10 })).items.length;
    expect(await Promise.all([url, url.slice(9, -1).toUpperCase(), `${url}c`, `${url}*`].map(find))).toEqual([
      1, 1, 0, 0,
    ]);
    expect(await Promise.all(['*'.repeat(2048), 'ü'.repeat(2048), '\\', '\u0000', '\ud800', 'İ'].map(find))).toEqual([
      0, 0, 0, 0, 0, 0,
    ]);
  });

  it('features are absent for a long query of words that no site has', async () => {
    const scope = newScope();
    await opened.pageIndex.put([indexEntry(scope, { texts: ['gopher'] })], { visible: 'now' });
    const unknown = Array.from({ length: 32 }, (_, n) => `gophxr${String.fromCharCode(97 + (n % 26))}${'y'.repeat(n)}`);
    const query = { requiredPhrases: [], excludedPhrases: [], limit: 10 };
    const terms = queryTerms(unknown.join(' '), ['en']);
    expect((await opened.pageIndex.candidates({ scopes: [scope], terms, ...query })).pages).toEqual([]);
  });
}

if (url === '') {
  it.skip('PageIndex on OpenSearch: skipped, because OPENSEARCH_URL is not set', () => undefined);
} else {
  pageIndexContract('OpenSearch', open);
  describe('The shards of an index', shards);
  describe('Completions that most pages have', frequentCompletions);
  describe('An index of an earlier layout', earlierLayout);
  describe('Required and excluded phrases', phrases);
  describe('Features from OpenSearch', features);
}
