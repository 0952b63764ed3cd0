import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { queryTerms } from '../../lambdas/text/words/query-terms.ts';
import { pageIndex } from '../../local/sqlite/page-index.ts';
import { embeddedAt, indexEntry, newScope, queryVectorAt } from '../support/index-entries.ts';
import { openLocalStore } from '../support/local-store.ts';

const scope = newScope();
let close: () => Promise<void>;

beforeAll(async () => {
  close = await openLocalStore();
  const texts = ['Eine Laterne am Tor.', 'A lantern at the gate.'];
  const embedded = [embeddedAt(0, 'hash'), embeddedAt(30, 'table')];
  await pageIndex.put([indexEntry(scope, { texts, embedded })], { visible: 'now' });
});
afterAll(() => close());

async function passages(vector: Float32Array) {
  const query = { scopes: [scope], vector, requiredPhrases: [], excludedPhrases: [], limit: 10 } as const;
  const { pages } = await pageIndex.candidates({
    ...query,
    terms: queryTerms('lantern tor', ['en']),
    chunksPerPage: 2,
  });
  return pages.map(({ block, chunks }) => ({ block, chunks: chunks.toSorted((a, b) => a.ord - b.ord) }));
}

it('names the block of a passage that is not in the block of its page', async () => {
  const [page] = await passages(queryVectorAt(0));
  expect([page?.block, ...(page?.chunks ?? []).map(({ block }) => block)]).toEqual(['hash', undefined, 'table']);
});

it('compares no passage with a query that has no meaning in its block', async () => {
  const [page] = await passages(embeddedAt(0, 'hash').vector);
  expect(page?.chunks.map(({ cosine }) => cosine !== undefined)).toEqual([true, false]);
});
