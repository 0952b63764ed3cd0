import type { CandidateQuery, Candidates, IndexReader, TitleQuery, WordEntry } from '../domain/ports/index-reader.ts';
import type { SiteScope } from '../domain/ports/page-index.ts';
import { countValues } from '../domain/ports/rules/count-values.ts';
import { findCandidates } from './candidates.ts';
import { filterTest } from './page-facts.ts';
import type { OpenSite } from './segment.ts';
import { findTitles, type Titles } from './titles.ts';
import { wordEntry } from './vocabulary.ts';

/** The sites as they are now, in the order of the scopes. */
export type OpenSites = (scopes: readonly SiteScope[]) => readonly OpenSite[];

/** Searches the segments of sites. Nothing is read but what `openSites` opens. */
export class SearchEngine {
  readonly #openSites: OpenSites;

  constructor(openSites: OpenSites) {
    this.#openSites = openSites;
  }

  candidates(query: CandidateQuery): Candidates {
    return findCandidates(query, this.#openSites(query.scopes));
  }

  vocabulary({ scopes, words }: Parameters<IndexReader['vocabulary']>[0]): readonly WordEntry[] {
    const segments = this.#openSites(scopes).flatMap((site) => site.segments);
    return words.map((word) => wordEntry(word, segments));
  }

  titled(query: TitleQuery): Titles {
    return findTitles(query, this.#openSites(query.scopes));
  }

  facets({ scopes, fields, limit }: Parameters<IndexReader['facets']>[0]): ReturnType<typeof countValues> {
    const open = this.#openSites(scopes);
    const pages = scopes.flatMap(({ filters = [] }, i) => {
      const tests = filters.map(filterTest);
      const all = open[i]?.segments.flatMap((segment) => segment.livePages()) ?? [];
      return all.filter((page) => tests.every((test) => test(page)));
    });
    return countValues(fields, pages, limit);
  }
}
