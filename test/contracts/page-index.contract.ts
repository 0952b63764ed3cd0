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

    changes(index);
    statistics(index);
    byWords(index);
    byVector(index);
    titles(index);
    vocabulary(index);
    filters(index);
    boosts(index);
    phrases(index);
    severalSites(index);
    passages(index);
    facets(index);
    finding(index);
    removal(index);
  });
}
