import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Embedder } from '../../../lambdas/domain/ports/embedder.ts';
import type { SearchRequest } from '../../../lambdas/domain/search/search-request.ts';
import { searchSite } from '../../../lambdas/domain/search/search-site.ts';
import { suggest } from '../../../lambdas/domain/search/suggest.ts';
import type { SiteRecord, SiteSettings } from '../../../lambdas/domain/sites/site.ts';
import {
  NEW_CRAWLER_CONFIG,
  NEW_PUBLIC_ACCESS,
  NEW_REMOVAL_POLICY,
} from '../../../lambdas/domain/sites/site-settings.ts';
import { indexEntry, newScope, type PageParts } from '../../support/index-entries.ts';
import { pageIndex } from '../../support/memory/stores.ts';

const wordsAlone = { embedQuery: async () => undefined } as unknown as Embedder;
const filler = 'Nothing of this is of any use to anybody who reads it, but it makes the passage longer. '.repeat(3);
const page = (name: string, title: string, text: string, parts: PageParts = {}): PageParts => ({
  url: `https://example.org/${name}`,
  title,
  texts: [text],
  ...parts,
});

const scopes = { manual: newScope(), crowd: newScope(), misspelt: newScope(), names: newScope(), japanese: newScope() };

beforeAll(async () => {
  const manual = [
    page('window', '3.5. Window Functions', 'A window function computes over rows.'),
    page('columns', 'Generated Columns', 'A generated column is computed from others.'),
    page('isolation', 'Transaction Isolation', 'The isolation level decides what a transaction sees.', {
      sections: [[{ line: 0, heading: 'Levels', anchor: 'levels' }]],
    }),
    page('settings', 'Connections', `The setting max_connections limits them. ${filler}`),
    page('operators', '10.2. Operators', `Those of the language. ${filler}`),
    page(
      'classes',
      'Operator Classes and Operator Families',
      'An operator class names operators. Operators! Operators!',
    ),
    page('what', 'What is Lantern?', `Lantern is a database. ${filler}`),
    page('lantern', 'Lantern pages', 'lantern lantern lantern lantern'),
    page('reindex', 'Maintenance', 'Reindexing rebuilds what is damaged.'),
    page('pagination', 'Pagination', 'Paginate with the pagination of a paginator. Pagination!'),
    page('paginator', '4. Paginator', `The class. ${filler}`),
    page('release', 'Changes of Lantern 2.4', `All that is new. ${filler}`),
    page('patch', 'Notes', 'Changes of Lantern 2.4.x: changes, changes of Lantern.'),
    page('cat', 'Pets', `Somewhere in here is a cat. ${filler}`),
    page('catalog', 'Catalog', 'The catalog of catalogs.'),
    page('crew', 'Crew', 'The mates of the ship.'),
    page('letters', 'Letters', 'Z is the last: z, z and z.'),
  ];
  const crowd = Array.from({ length: 260 }, (_, n) =>
    page(
      `${1000 + n}`,
      n % 7 === 0 ? 'Tides' : `Note ${n}`,
      `The tide of day ${n} is high. ${'High. '.repeat(n % 13)}`,
      {
        tags: n === 150 ? ['up'] : [],
      },
    ),
  );
  const misspelt = [
    ...Array.from({ length: 8 }, (_, n) => page(`${n}`, n === 0 ? 'Configuration' : `Part ${n}`, 'The configuration.')),
    page('typo', 'Notes', 'Of the confguration, notes about confguration.'),
    page('short', 'Bits', 'The gname of a gname.'),
    ...Array.from({ length: 8 }, (_, n) => page(`name${n}`, 'Names', 'A name.')),
  ];
  const named = [
    page('console', 'Games of the PS', `The PS is a console. Its games are many, and its price is not. ${filler}`),
    page('battles', 'Battles of WW', `Battles of the navy. ${filler}`),
    page('naval', 'Naval battles', 'Naval battles are battles at sea.'),
    page('dig', 'Dig', 'Dig for a nose, dig.'),
    page('diagnosis', 'Diagnosis', 'The diagnosis of a doctor.'),
  ];
  await pageIndex.put(
    named.map((parts) => indexEntry(scopes.names, parts)),
    { visible: 'now' },
  );
  const japanese = ['バックアップ', '電源管理', 'サーバーの設定', '設計と定石'];
  await pageIndex.put(
    japanese.map((title) => indexEntry(scopes.japanese, page(encodeURI(title), title, `${title}について。`))),
    { visible: 'now' },
  );
  await pageIndex.put(
    misspelt.map((parts) => indexEntry(scopes.misspelt, parts)),
    { visible: 'now' },
  );
  await pageIndex.put(
    manual.map((parts) => indexEntry(scopes.manual, parts)),
    { visible: 'now' },
  );
  await pageIndex.put(
    crowd.map((parts) => indexEntry(scopes.crowd, parts)),
    { visible: 'now' },
  );
});

function siteOf(name: keyof typeof scopes, settings: Partial<SiteSettings> = {}): SiteRecord {
  const { siteId, generation } = scopes[name];
  return {
    settings: {
      siteId,
      orgId: 'o',
      version: 1,
      name,
      baseUrl: 'https://example.org/',
      createdAt: 0,
      publicAccess: NEW_PUBLIC_ACCESS,
      rateLimits: {},
      crawlerConfig: NEW_CRAWLER_CONFIG,
      metadataSchema: [],
      tagBoosts: [],
      urlBoosts: [],
      removalPolicy: NEW_REMOVAL_POLICY,
      ...settings,
    },
    state: { runningJobId: null, pageCount: 0, revision: 0, generation, languages: ['en'] },
  };
}

async function search(
  query: string,
  request: Partial<SearchRequest> = {},
  site = siteOf('manual'),
): Promise<Awaited<ReturnType<typeof searchSite>>['response']> {
  const asked = { query, limit: 10, offset: 0, minScore: 0.3, ...request };
  return (await searchSite(site, asked, { index: pageIndex, embedder: wordsAlone, clock: () => 0 })).response;
}
const names = ({ results }: { readonly results: readonly { readonly url: string }[] }): readonly string[] =>
  results.map(({ url }) => url.slice('https://example.org/'.length));

describe('names', () => {
  it.each([
    ['operators', 'operators'],
    ['10.2. Operators', 'operators'],
    ['window functions', 'window'],
    ['what is lantern', 'what'],
    ['paginator', 'paginator'],
    ['Changes of Lantern 2.4', 'release'],
  ])('%s finds the page with this title first', async (query, name) => {
    expect(names(await search(query))[0]).toBe(name);
  });
});

describe('the last word', () => {
  it.each([
    ['window fu', 'window'],
    ['generated col', 'columns'],
    ['gener', 'columns'],
    ['transac', 'isolation'],
    ['max_conn', 'settings'],
    ['limit-max-conn', 'settings'],
  ])('may be unfinished: %s', async (query, name) => {
    expect(names(await search(query))[0]).toBe(name);
    expect(names(await search(query, { exact: true }))).not.toContain(name);
  });

  it('is left out if it is one letter and nothing is found with it', async () => {
    expect(names(await search('connections z'))[0]).toBe('settings');
  });

  it('comes as a whole word before its completions', async () => {
    const { results } = await search('cat');
    expect(names({ results })).toEqual(['cat', 'catalog']);
    expect(results[0]?.score).toBeGreaterThanOrEqual(results[1]?.score ?? 1);
  });

  it('has the same results for every limit', async () => {
    for (const query of ['cat', 'window fu', 'op', 'generated col']) {
      const all = await search(query, { limit: 100 });
      for (const limit of [1, 2, 3]) {
        const some = await search(query, { limit });
        expect([some.results, some.totalResults]).toEqual([all.results.slice(0, limit), all.totalResults]);
      }
    }
  });

  it('is not completed without `autocomplete`', async () => {
    expect(names(await search('window func', { autocomplete: false }))).toEqual([]);
  });

  it('is not completed inside quotes', async () => {
    expect((await search('"window fu"')).phraseDropped).toBe(true);
  });
});

describe('typos', () => {
  it.each([
    ['max_conections', 'settings', [{ from: 'max_conections', to: 'max_connections' }]],
    ['isolation levl', 'isolation', [{ from: 'levl', to: 'level' }]],
    ['Trasnaction isolation', 'isolation', [{ from: 'Trasnaction', to: 'transaction' }]],
    ['windowfunction', 'window', [{ from: 'windowfunction', to: 'window function' }]],
    ['reindx', 'reindex', [{ from: 'reindx', to: 'reindexing' }]],
    ['tranzactionisolation', 'isolation', [{ from: 'tranzactionisolation', to: 'transaction isolation' }]],
    ['isolationtransactoin', 'isolation', [{ from: 'isolationtransactoin', to: 'isolation transaction' }]],
  ])('%s is searched in another spelling', async (query, name, corrections) => {
    const found = await search(query);
    expect(names(found)[0]).toBe(name);
    expect(found.corrections).toEqual(corrections);
    const exact = await search(query, { exact: true });
    expect(exact).not.toHaveProperty('corrections');
    expect(exact.results.every(({ score }) => score < (found.results[0]?.score ?? 0))).toBe(true);
  });

  it('are not what two words written as one are', async () => {
    const [joined, apart] = [
      await search('windowfunction isolationlevel'),
      await search('window function isolation level'),
    ];
    expect(joined.results.map(({ score }) => score)).toEqual(apart.results.map(({ score }) => score));
    expect(joined.results.length).toBeGreaterThan(0);
  });

  it('of one or two letters are ignored', async () => {
    expect(names(await search('generated columns qz', { autocomplete: false }))[0]).toBe('columns');
    expect(names(await search('zq generated columns'))[0]).toBe('columns');
  });

  it('are not corrected where the site has the word, or for a word that is like no other', async () => {
    expect(await search('operators')).not.toHaveProperty('corrections');
    expect(await search('zoogkrult')).toMatchObject({ results: [], totalResults: 0 });
  });

  it('are not seen in words of the language, unless nothing is found otherwise and a letter was left out', async () => {
    const isWord = async (word: string) => ['pest', 'lantern', 'lee', 'leel', 'maes', 'makes'].includes(word);
    const found = async (query: string) => {
      const asked = { query, limit: 10, offset: 0, minScore: 0, autocomplete: false };
      const deps = { index: pageIndex, embedder: { ...wordsAlone, isWord }, clock: () => 0 };
      return (await searchSite(siteOf('manual'), asked, deps)).response;
    };
    expect(await found('pest')).not.toHaveProperty('corrections');
    expect(await found('leel')).toMatchObject({ corrections: [{ from: 'leel', to: 'level' }] });
    expect(await found('maes')).toMatchObject({ corrections: [{ from: 'maes', to: 'mates' }] });
    const typo = await found('levl');
    expect((await found('leel')).results[0]?.score).toBeLessThan(0.5 * (typo.results[0]?.score ?? 0));
  });

  it('that are words of the language are corrected to another beside a known word', async () => {
    const embedder = { ...wordsAlone, isWord: async () => true };
    const asked = { query: 'transaction insolation', limit: 10, offset: 0, minScore: 0.3 };
    const { response } = await searchSite(siteOf('manual'), asked, { index: pageIndex, embedder, clock: () => 0 });
    expect(response.corrections).toEqual([{ from: 'insolation', to: 'isolation' }]);
    expect(names(response)).toEqual(['isolation']);
    const meant = await search('transaction isolation', { autocomplete: false });
    expect(response.results[0]?.score).toBeCloseTo(0.5 * (meant.results[0]?.score ?? 0));
  });

  it('in a word that the site has too are corrected if nothing is found otherwise', async () => {
    const found = await search('pets isolation lever');
    expect(names(found).length).toBeGreaterThan(0);
  });
});

describe('a word that one page misspells', () => {
  const site = () => siteOf('misspelt');

  it('is not corrected while it finds something', async () => {
    for (const query of ['confguration', 'gname', 'notes about confguration']) {
      const found = await search(query, {}, site());
      expect(found).not.toHaveProperty('corrections');
      expect(found.results).toEqual((await search(query, { exact: true }, site())).results);
    }
    expect(names(await search('confguration', {}, site()))).toEqual(['typo']);
  });

  it('is corrected if nothing is found', async () => {
    const found = await search('confguration', { minScore: 0.7 }, site());
    expect(found.corrections).toEqual([{ from: 'confguration', to: 'configuration' }]);
  });
});

describe('an unknown word', () => {
  const site = () => siteOf('names');

  it.each(['games of the ps3', 'the battles of ww2', 'ww2 battles', 'games on the ots console', 'battles of the NAXY'])(
    'that is short, has digits or is an acronym is kept while pages are found: %s',
    async (query) => {
      const found = await search(query, { minScore: 0.1 }, site());
      expect(found).not.toHaveProperty('corrections');
      expect(found.results.length).toBeGreaterThan(0);
    },
  );

  it.each([
    ['ps3', [{ from: 'ps3', to: 'ps' }]],
    ['NAXY', [{ from: 'NAXY', to: 'navy' }]],
    ['ots', undefined],
  ])('that is such is corrected if nothing is found, but to no word such as "its": %s', async (query, corrections) => {
    expect((await search(query, {}, site())).corrections).toEqual(corrections);
  });

  it('of four letters is corrected beside others if the answer is much better with it', async () => {
    expect((await search('navl battles', {}, site())).corrections).toEqual([{ from: 'navl', to: 'naval' }]);
  });

  it('is not read as two words of which a short one is misspelt, but as another form of it', async () => {
    expect(await search('diagnose', {}, site())).toMatchObject({
      corrections: [{ from: 'diagnose', to: 'diagnosis' }],
    });
  });
});

describe('typos where letters are indexed in pairs', () => {
  const site = () => siteOf('japanese');

  it.each([
    ['two letters swapped', '電管源理', '電源管理'],
    ['two letters of a loanword swapped', 'バックッアプ', 'バックアップ'],
    ['a long vowel left out', 'サーバの設定', 'サーバーの設定'],
    ['a small letter left out', 'バクアップ', 'バックアップ'],
  ])('%s: %s is %s', async (_, from, to) => {
    const found = await search(from, {}, site());
    expect([found.corrections, found.results[0]?.title]).toEqual([[{ from, to }], to]);
    expect(await search(from, { exact: true }, site())).not.toHaveProperty('corrections');
  });

  it.each(['電源管理', '設定石', '管理電源', '検索'])('%s is none of them', async (query) => {
    expect(await search(query, {}, site())).not.toHaveProperty('corrections');
  });
});

describe('quoted phrases', () => {
  it('that no page has are ignored, and the answer says so', async () => {
    const found = await search('"window of opportunity" isolation');
    expect([names(found)[0], found.phraseDropped]).toEqual(['isolation', true]);
    expect(await search('"isolation level"')).not.toHaveProperty('phraseDropped');
  });

  it('are a preference in a question of more than eight other words', async () => {
    const question = 'please tell me whatever somebody might know concerning generated columns "isolation level"';
    const found = await search(question, { minScore: 0 });
    expect(names(found)).toEqual(expect.arrayContaining(['columns', 'isolation']));
    expect(found).not.toHaveProperty('phraseDropped');
  });

  it('do not empty the answer to such a question', async () => {
    const question = 'how is it that a window function computes anything over rows';
    const [best] = (await search(question)).results;
    expect(best?.title).toBe('3.5. Window Functions');
    const minScore = Number(best?.score) - 0.001;
    expect(names(await search(`${question} "purple giraffe"`, { minScore }))).toEqual(['window']);
  });
});

describe('sections', () => {
  it('name the heading above the snippet; without one that has an anchor there is none', async () => {
    const [first] = (await search('isolation')).results;
    expect([first?.url, first?.section]).toEqual([
      'https://example.org/isolation',
      { heading: 'Levels', anchor: 'levels' },
    ]);
    expect((await search('catalog')).results[0]).not.toHaveProperty('section');
  });
});

describe('the results', () => {
  const all = { limit: 100 };

  it('are the same for every limit, and in a walk by offset', async () => {
    const site = siteOf('crowd');
    const first = names(await search('tide', all, site));
    for (const limit of [1, 7, 50]) expect(names(await search('tide', { limit }, site))).toEqual(first.slice(0, limit));
    const walked: string[] = [];
    for (let offset = 0; offset < 300; offset += 30)
      walked.push(...names(await search('tide', { limit: 30, offset }, site)));
    expect(walked.slice(0, 100)).toEqual(first);
    expect(new Set(walked).size).toBe(walked.length);
    expect(walked).toHaveLength(260);
  });

  it('are counted truly up to 100', async () => {
    const many = await search('tide', { limit: 1 }, siteOf('crowd'));
    expect([many.totalResults, many.totalIsLowerBound]).toEqual([100, true]);
    const few = await search('tides', { limit: 1, minScore: 0.95 }, siteOf('crowd'));
    const counted = await search('tides', { limit: 100, minScore: 0.95 }, siteOf('crowd'));
    expect(few.totalResults).toBe(counted.results.length);
    expect(few).not.toHaveProperty('totalIsLowerBound');
  });

  it('have a boosted page where its boosted score puts it', async () => {
    const plain = await search('tide', { limit: 100, minScore: 0, offset: 0 }, siteOf('crowd'));
    const more = await search('tide', { limit: 100, minScore: 0, offset: 100 }, siteOf('crowd'));
    const scores = [...plain.results, ...more.results];
    const own = scores.find(({ url }) => url.endsWith('/1150'))?.score ?? 0;
    const rank = scores.filter(({ score, url }) => score > 1.4 * own && !url.endsWith('/1150')).length;
    const boosted = siteOf('crowd', { tagBoosts: [{ tag: 'up', boost: 1.4 }] });
    expect(names(await search('tide', { limit: 100, minScore: 0 }, boosted)).indexOf('1150')).toBe(rank);
  });
});

describe('suggestions', () => {
  const suggested = async (text: string) =>
    (await suggest([siteOf('manual')], text, pageIndex)).suggestions.map((suggestion) => suggestion.text);

  it.each([
    ['win', '3.5. Window Functions'],
    ['window fun', '3.5. Window Functions'],
    ['functions win', '3.5. Window Functions'],
    ['genrated col', 'Generated Columns'],
    ['isoaltion', 'Transaction Isolation'],
    ['isoaltio', 'Transaction Isolation'],
    ['what is la', 'What is Lantern?'],
  ])('for %s begin with %s', async (text, title) => {
    expect((await suggested(text))[0]).toBe(title);
  });

  it('are titles that begin with the text first, and none for unknown words', async () => {
    expect(await suggested('operator')).toEqual(['10.2. Operators', 'Operator Classes and Operator Families']);
    expect(await suggested('zoogkrult')).toEqual([]);
    expect(await suggested('?!')).toEqual([]);
  });
});
