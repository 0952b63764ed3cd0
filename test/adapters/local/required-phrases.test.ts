import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pageIndex } from '../../../lambdas/adapters/local/page-index.ts';
import { queryTerms } from '../../../lambdas/core/language/query-terms.ts';
import type { CandidateQuery, Phrase, SiteScope } from '../../../lambdas/core/ports/page-index.ts';
import { embeddedAt, indexEntry, newScope, queryVectorAt } from '../../support/index-entries.ts';
import { openLocalStore } from '../../support/local-store.ts';

let close: () => Promise<void>;
let scope: SiteScope;

const PAGES: Readonly<Record<string, { readonly title: string; readonly texts: readonly string[] }>> = {
  together: { title: 'A', texts: ['x', 'reset the password gopher'] },
  reversed: { title: 'A', texts: ['password the reset gopher'] },
  apart: { title: 'A', texts: ['reset the gopher', 'the password gopher'] },
  title: { title: 'Reset the', texts: ['password gopher'] },
  identifier: { title: 'A', texts: ['call pg_dump now gopher'] },
  repeated: { title: 'A', texts: ['reset reset the the password gopher'] },
};

beforeAll(async () => {
  close = await openLocalStore();
  scope = newScope();
  const entries = Object.entries(PAGES).map(([name, parts]) =>
    indexEntry(scope, {
      ...parts,
      url: `https://example.org/${name}`,
      embedded: parts.texts.map(() => embeddedAt(10)),
    }),
  );
  await pageIndex.put(entries, { visible: 'now' });
});
afterAll(() => close());

/** Each word by its stem. */
const phrase = (text: string): Phrase => queryTerms(text, ['en']).map(({ forms }) => forms);

async function found(asked: Partial<CandidateQuery>): Promise<readonly string[]> {
  const query = { scopes: [scope] as const, terms: queryTerms('gopher', ['en']), vector: queryVectorAt(0), limit: 100 };
  const { pages } = await pageIndex.candidates({
    ...query,
    filters: [],
    groups: [],
    requiredPhrases: [],
    excludedPhrases: [],
    ...asked,
  });
  return pages.map(({ url }) => url.slice('https://example.org/'.length)).sort();
}

describe('phrases', () => {
  const cases: Readonly<Record<string, readonly [readonly Phrase[], readonly string[]]>> = {
    'words next to each other in their order, also over the end of the title': [
      [phrase('reset the password')],
      ['title', 'together'],
    ],
    'a word that stands twice before the next': [[phrase('reset the')], ['apart', 'repeated', 'title', 'together']],
    'a single word': [[phrase('password')], ['apart', 'repeated', 'reversed', 'title', 'together']],
    'each of two': [[phrase('reset'), phrase('the gopher')], ['apart']],
    'an identifier as one word among others': [[[['call'], ['pg_dump'], ['now']]], ['identifier']],
    'a part of an identifier in its place': [[[['call'], ['dump'], ['now']]], ['identifier']],
    'any of the terms of a word': [[[['nothing', 'call'], ['pg']]], ['identifier']],
    'nothing where a word is not in the site': [[phrase('reset absent')], []],
    'nothing where a word is misspelt': [[phrase('pasword')], []],
  };
  for (const [what, [phrases, names]] of Object.entries(cases)) {
    it(`admit ${what}`, async () => {
      expect(await found({ requiredPhrases: phrases })).toEqual(names);
      const others = Object.keys(PAGES).filter((name) => !names.includes(name));
      if (phrases.length === 1) expect(await found({ excludedPhrases: phrases })).toEqual(others.sort());
    });
  }

  it('hold in groups too, and leave the statistics alone', async () => {
    const groups = [{ inside: true, tags: [], urlPrefixes: ['https://example.org/'], pathPrefixes: [] }];
    expect(await found({ groups, requiredPhrases: [[['pg_dump']]] })).toEqual(['identifier']);
    const { statistics } = await pageIndex.candidates({
      ...{ scopes: [scope], terms: queryTerms('gopher', ['en']), filters: [], groups: [], limit: 10 },
      ...{ requiredPhrases: [phrase('absent')], excludedPhrases: [] },
    });
    expect(statistics.get(scope.siteId)).toMatchObject({ chunks: 8, documentFrequency: [7] });
  });
});
