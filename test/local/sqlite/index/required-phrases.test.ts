import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CandidateQuery, Phrase } from '../../../../lambdas/domain/ports/index-reader.ts';
import type { SiteScope } from '../../../../lambdas/domain/ports/page-index.ts';
import { queryTerms } from '../../../../lambdas/text/words/query-terms.ts';
import { pageIndex } from '../../../../local/sqlite/page-index.ts';
import { embeddedAt, indexEntry, newScope, queryVectorAt } from '../../../support/index-entries.ts';
import { openLocalStore } from '../../../support/local-store.ts';

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

/** A phrase, each word by its forms. */
const phrase = (text: string): Phrase => queryTerms(text, ['en']).map(({ forms }) => forms);

async function found(asked: Partial<CandidateQuery>): Promise<readonly string[]> {
  const query = {
    scopes: [scope] as const,
    terms: queryTerms('gopher', ['en']),
    vector: queryVectorAt(0),
    limit: 100,
  };
  const { pages } = await pageIndex.candidates({
    ...query,
    requiredPhrases: [],
    excludedPhrases: [],
    ...asked,
  });
  return pages.map(({ url }) => url.slice('https://example.org/'.length)).sort();
}

describe('phrases', () => {
  const cases: Readonly<Record<string, readonly [readonly Phrase[], readonly string[]]>> = {
    'consecutive words in order, also across the end of the title': [
      [phrase('reset the password')],
      ['title', 'together'],
    ],
    'a word that is repeated before the next one': [[phrase('reset the')], ['apart', 'repeated', 'title', 'together']],
    'a single word': [[phrase('password')], ['apart', 'repeated', 'reversed', 'title', 'together']],
    'two phrases, both of which are required': [[phrase('reset'), phrase('the gopher')], ['apart']],
    'an identifier as one of the words': [[[['call'], ['pg_dump'], ['now']]], ['identifier']],
    'a part of an identifier at its position': [[[['call'], ['dump'], ['now']]], ['identifier']],
    'any form of a word': [[[['nothing', 'call'], ['pg']]], ['identifier']],
    'no page if the site lacks a word': [[phrase('reset absent')], []],
    'no page if a word is misspelt': [[phrase('pasword')], []],
  };
  for (const [title, [phrases, names]] of Object.entries(cases)) {
    it(`match ${title}`, async () => {
      expect(await found({ requiredPhrases: phrases })).toEqual(names);
      const others = Object.keys(PAGES).filter((name) => !names.includes(name));
      if (phrases.length === 1) expect(await found({ excludedPhrases: phrases })).toEqual(others.sort());
    });
  }

  it('do not change the statistics', async () => {
    const { statistics } = await pageIndex.candidates({
      scopes: [scope],
      terms: queryTerms('gopher', ['en']),
      limit: 10,
      requiredPhrases: [phrase('absent')],
      excludedPhrases: [],
    });
    expect(statistics.get(scope.siteId)).toMatchObject({ chunks: 8, documentFrequency: [7] });
  });
});
