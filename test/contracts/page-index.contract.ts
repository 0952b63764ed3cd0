import { afterAll, beforeAll, describe } from '@jest/globals';
import type { PageIndex } from '../../lambdas/domain/ports/page-index.ts';
import { byVector, byWords } from './page-index/candidates.ts';
import { facets, filters, finding } from './page-index/filters.ts';
import { boosts, passages, severalSites } from './page-index/ranking.ts';
import { phrases, titles, vocabulary } from './page-index/words.ts';
import { changes, removal, statistics } from './page-index/writes.ts';

type Opened = { readonly pageIndex: PageIndex; close(): Promise<void> };
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
